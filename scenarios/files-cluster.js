/** A file server in a cluster of processes that access their disk synchronously. */
import { fileOf, files, findFault, parameters, presets, requests, sortContent, withBody } from './files/workload.js'

/** @import { HttpScenario } from './contract.js' */

/** @type {HttpScenario} */
export const scenario = {
  name: 'files-cluster',
  title: 'HTTP, files read, sorted and appended to, synchronously in a cluster of processes',
  kind: 'http',
  source: '"Node.js Cluster is Faster and Easier Than Async" (2016)',
  parameters: { workers: { title: 'processes', minimum: 1 }, ...parameters },
  presets: {
    quick: { workers: [1, 2], ...presets.quick },
    documented: { workers: [1, 2, 4, 8, 16, 24], ...presets.documented },
    ci: { workers: [2], ...presets.ci }
  },
  files,
  requests,
  findFault,
  workers: ({ workers }) => workers,

  createServer (listenWith, { split }, { fs, directory }) {
    return listenWith((request, response) => {
      const file = fileOf(request, directory)
      const answer = (/** @type {() => string | void} */ work) => {
        try {
          response.end(work())
        } catch {
          response.statusCode = 500
          response.end()
        }
      }
      if (request.method === 'GET') answer(() => sortContent(fs.readFileSync(file, 'utf8'), split))
      else withBody(request, record => answer(() => fs.appendFileSync(file, record)))
    })
  }
}
