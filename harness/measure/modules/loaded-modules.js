import { Session } from 'node:inspector'

/**
 * Lists the ECMAScript and CommonJS modules that this process has loaded so far. The debugger announces them when it is switched
 * on, so nothing has to watch while code is measured.
 *
 * @returns {string[]} URLs of files, symbolic links resolved
 */
export function loadedModules () {
  /** @type {Set<string>} */
  const urls = new Set()
  const session = new Session()
  session.connect()
  session.on('Debugger.scriptParsed', ({ params }) => urls.add(params.url))
  session.post('Debugger.enable')
  session.disconnect()
  return [...urls].filter(url => url.startsWith('file:'))
}
