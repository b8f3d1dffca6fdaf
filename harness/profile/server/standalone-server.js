/**
 * The server of a cell, for tools that start a program themselves. Its one argument is JSON: the cell's task, and the file
 * to which it writes its port and process id once it listens. It ends on SIGINT.
 */
import { renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createCellServer } from '../../measure/http/create-server.js'
import { LOOPBACK } from '../../measure/http/loopback.js'

const { readyFile, ...task } = JSON.parse(process.argv[2])
const { server } = await createCellServer(task, createServer)

server.listen(0, task.listen ?? LOOPBACK, () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  writeFileSync(`${readyFile}.new`, JSON.stringify({ port, pid: process.pid }))
  renameSync(`${readyFile}.new`, readyFile)
})

process.once('SIGINT', () => process.exit())
