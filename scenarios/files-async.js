/** A file server in one process that accesses its disk asynchronously. */
import { fileOf, files, findFault, parameters, presets, requests, sortContent, withBody } from './files/workload.js'

/** @import { HttpScenario } from './contract.js' */

/** @type {HttpScenario} */
export const scenario = {
  name: 'files-async',
  title: 'HTTP, files read, sorted and appended to, asynchronously in one process',
  kind: 'http',
  source: '"Node.js Cluster is Faster and Easier Than Async" (2016)',
  parameters,
  presets,
  files,
  requests,
  findFault,
  // The thread pool may use all cores.
  usesAllCores: true,

  createServer (createServer, { split }, { fs, directory }) {
    return createServer((request, response) => {
      const file = fileOf(request, directory)
      const answer = (/** @type {Error | null} */ error, content = '') => {
        if (error) response.statusCode = 500
        response.end(content)
      }
      if (request.method === 'GET') {
        fs.readFile(file, 'utf8', (error, content) => answer(error, error ? '' : sortContent(content, split)))
      } else {
        withBody(request, record => fs.appendFile(file, record, error => answer(error)))
      }
    })
  }
}
