/** The package timerq-timers as a user installs it. */
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { once } from 'node:events'
import { brokenLinks, readIn } from '../pages.js'
import { assertCompiles, assertPublishable, createProject, pack, ROOT } from './pack.js'

const folder = mkdtempSync(path.join(os.tmpdir(), 'timerq-timers-package-'))
/** @type {ReturnType<typeof createProject>} */
let made
/** @type {string} A folder that timerq-timers is installed in. */
let project
const installed = (/** @type {string} */ file) => made.installed('timerq-timers', file)
const manifest = JSON.parse(readFileSync(path.join(ROOT, 'timers/package.json'), 'utf8'))

before(() => {
  const tarball = pack(folder, { sources: ['timers', 'LICENSE', 'tsconfig.json'], at: 'timers' })
  made = createProject(tarball, 'timerq-timers')
  project = made.project
})

after(() => rmSync(folder, { recursive: true, force: true }))

test('the package depends on nothing, and holds the files of timers/', () => {
  assert.deepEqual(
    Object.keys(manifest).filter(name => /dependencies/i.test(name)),
    []
  )
  const scripts = (/** @type {string} */ folder) => readdirSync(folder).filter(file => file.endsWith('.js')).sort()
  assert.deepEqual(scripts(installed('dist')), scripts(path.join(ROOT, 'timers')))
})

test('the README links to files of the package', () => {
  assert.deepEqual(
    brokenLinks('README.md', path => readIn(installed(''), path)),
    []
  )
})

test('the example of the README runs', async () => {
  const page = readFileSync(path.join(ROOT, 'timers/README.md'), 'utf8')
  const source = /** @type {string[]} */ (/^```js\n([^]*?)^```/m.exec(page))[1]
    .replace('8080', '0')
    .replace("console.log('listening')", 'console.log(server.address().port)')
  writeFileSync(path.join(project, 'server.js'), source)
  const server = spawn(process.execPath, ['server.js'], { cwd: project })
  const [port] = await once(server.stdout, 'data')
  const client = connect(Number(`${port}`), '127.0.0.1')
  await once(client, 'connect')
  await new Promise(resolve => client.write('x', resolve))
  client.destroy()
  server.kill()
  const [code, signal] = await once(server, 'close')
  assert.deepEqual([code, signal], [null, 'SIGTERM'])
})

test('both entries load, and --import plugs sockets', () => {
  writeFileSync(
    path.join(project, 'app.js'),
    `
    import { Socket } from 'node:net'
    import { plugSockets } from 'timerq-timers'
    const plugged = Socket.prototype.setTimeout
    plugSockets()()
    console.log(plugged === Socket.prototype.setTimeout, plugged.name)
  `
  )
  assert.equal(
    execFileSync(process.execPath, ['--import', 'timerq-timers/sockets', 'app.js'], { cwd: project, encoding: 'utf8' }),
    'true setTimeout\n'
  )
})

const COMMONJS = `
  const { IdleTimeouts, plugSockets } = require('timerq-timers')
  console.log(require.resolve('timerq-timers').endsWith('cjs/index.js') ? 'CommonJS' : 'ES module')
  const expired = []
  const idle = new IdleTimeouts({
    timeout: 30,
    ref: true,
    onIdle (item) {
      expired.push(item)
      if (idle.size === 0) console.log(expired.join())
    }
  })
  plugSockets()()
  import('timerq-timers').then(imported => {
    console.log(imported.IdleTimeouts === IdleTimeouts)
    for (const item of ['a', 'b', 'c']) idle.add(item)
  })
`

test('a CommonJS program shares its copy with ES modules; where those cannot be required, it has its own', () => {
  writeFileSync(path.join(project, 'app.cjs'), COMMONJS)
  const run = (/** @type {string[]} */ ...flags) =>
    execFileSync(process.execPath, [...flags, 'app.cjs'], { cwd: project, encoding: 'utf8' })
  assert.equal(run(), 'ES module\ntrue\na,b,c\n')
  assert.equal(run('--no-experimental-require-module'), 'CommonJS\nfalse\na,b,c\n')
})

const PROGRAM = `
    import { createServer, type Socket } from 'node:net'
    import { IdleTimeouts, plugSockets, type IdleHandle } from 'timerq-timers'
    import 'timerq-timers/sockets'

    const idle = new IdleTimeouts<Socket>({ timeout: 1000, onIdle: socket => socket.destroy() })
    const server = createServer(socket => {
      const handle: IdleHandle = idle.add(socket, 10)
      const pending: boolean = idle.touch(handle) && idle.delete(handle)
      console.log(pending, idle.size)
    })
    const unplug: () => void = plugSockets(server, { resolution: 10 })
    const left: Socket[] = idle.close()
    console.log(left, unplug)

    // @ts-expect-error: a handle is no number of one's own
    idle.touch(1)
    // @ts-expect-error: an option that does not exist
    new IdleTimeouts({ timeout: 1, onIdle () {}, resolutions: 1 })
    // @ts-expect-error: items are sockets
    idle.add('socket')
    // @ts-expect-error: options come second
    plugSockets({ resolution: 10 })
`

for (const [type, module] of [['module', 'nodenext'], ['commonjs', 'nodenext'], ['commonjs', 'node16']]) {
  test(`strict TypeScript (${type}, ${module}) compiles against the declarations, and finds misuse`, () => {
    assertCompiles(made, { program: PROGRAM, type, module })
  })
}

test('publint finds nothing to say', () => assertPublishable(installed('')))
