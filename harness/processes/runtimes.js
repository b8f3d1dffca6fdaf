/** Node binaries to measure with: the user's own, or installed from npm. */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { UsageError } from '../model/errors.js'
import { makeFolder } from '../store/folders.js'
import { lastWordsOf } from './processes.js'
import { isWindows, startable } from './system.js'
/** @import { Runtime } from './child.js' */

const execute = promisify(execFile)
const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
/** Older ones lack the JavaScript of the measuring processes. */
const [OLDEST] = /** @type {RegExpExecArray} */ (/\d+\.\d+\.\d+/.exec(engines.node))

/**
 * `spec` is a path to a Node binary, or a version such as 24 or 22.12.0.
 *
 * @type {(spec: string, flags: string[]) => Promise<Runtime>}
 * @throws {UsageError} when there is no such Node, it is too old, or it does not know the flags
 */
export async function resolveRuntime (spec, flags) {
  const binary = /^v?\d+(\.\d+)*$/.test(spec) ? await installedNode(spec.replace('v', '')) : path.resolve(spec)
  const version = await versionOf(spec, binary, flags)
  return { name: [version, ...flags].join(' '), path: binary, flags }
}

/** @type {(spec: string, binary: string, flags: string[]) => Promise<string>} */
async function versionOf (spec, binary, flags) {
  const { stdout } = await execute(binary, [...flags, '--version']).catch(({ stderr, message }) => {
    throw new UsageError(`--runtime ${spec}: ${binary} does not run${lastWordsOf(stderr || message)}`)
  })
  const version = stdout.trim()
  if (!/^v\d+\.\d+\.\d+\S*$/.test(version)) {
    throw new UsageError(`--runtime ${spec}: not a Node binary (--version printed "${version.split('\n')[0]}")`)
  }
  const isTooOld = version.slice(1).localeCompare(OLDEST, 'en', { numeric: true }) < 0
  if (isTooOld) {
    throw new UsageError(`--runtime ${spec}: Node ${version} is too old, timerq measures Node ${OLDEST} and newer`)
  }
  return version
}

/**
 * npm carries Node's binaries, one package a platform. They are kept between runs.
 *
 * @type {(version: string) => Promise<string>}
 */
async function installedNode (version) {
  if (process.version === `v${version}` || process.version.startsWith(`v${version}.`)) return process.execPath
  const name = `node-${isWindows ? 'win' : process.platform}-${process.arch}`
  const cache = process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache')
  const folder = path.join(cache, 'timerq', `node-${version}`)
  const binary = path.join(folder, 'node_modules', name, 'bin', isWindows ? 'node.exe' : 'node')
  if (existsSync(binary)) return binary
  try {
    makeFolder(folder)
  } catch (error) {
    throw new UsageError(`--runtime ${version}: cannot create ${folder}: ${/** @type {Error} */ (error).message}`)
  }
  const install = ['npm', 'install', '--prefix', folder, '--no-audit', '--no-fund', `${name}@${version}`]
  const { words: [npm, ...args], options } = startable(install)
  await execute(npm, args, options).catch(({ stderr = '' }) => {
    throw new UsageError(
      `--runtime ${version}: npm cannot install ${name}@${version}${lastWordsOf(stderr)} ` +
        '(give the path of a Node binary instead)'
    )
  })
  return binary
}

/**
 * @param {Runtime} runtime
 * @returns {Promise<string>} process.versions.v8
 */
export async function v8Of ({ path, flags }) {
  const { stdout } = await execute(path, [...flags, '--print', 'process.versions.v8'])
  return stdout.trim()
}
