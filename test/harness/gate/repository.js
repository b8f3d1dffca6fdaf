/** A git repository for tests. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { temporaryFolder } from '../temporary-folder.js'

/**
 * A real repository in a temporary folder.
 *
 * @param {Parameters<typeof temporaryFolder>[0]} t
 * @param {string} [root]
 */
export function createRepository (t, root = path.join(temporaryFolder(t), 'repository')) {
  mkdirSync(root, { recursive: true })
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', ['-C', root, '-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
      encoding: 'utf8',
      stdio: 'pipe'
    }).trim()
  const write = (/** @type {string} */ file, /** @type {string | object} */ content) => {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    writeFileSync(
      path.join(root, file),
      typeof content === 'string' ? content : JSON.stringify(content, null, 2) + '\n'
    )
  }
  const commit = (/** @type {string} */ message = 'a change') => {
    git('add', '--all')
    git('commit', '--quiet', '--allow-empty', '--message', message)
  }
  const addSubmodule = (/** @type {string} */ source) => {
    git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', source, 'sub')
    commit()
  }
  git('init', '--quiet', '--initial-branch', 'main')
  return { root, git, write, commit, addSubmodule }
}
