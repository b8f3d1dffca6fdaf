/** Explains a file that a side lacks although the working tree has it: ignored by git, or in a submodule. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { askGit } from '../processes/git.js'
import { PACKAGES } from './sides.js'

/** @import { Side } from '../model/cell.js' */
/** @import { GatePlan, Sides } from '../plan/plan.js' */

const REMEDY = 'make it in each side, for example by --prepare "npm run build"'

/**
 * @param {string} message  Error of a side that cannot be loaded.
 * @param {Side} side
 * @param {GatePlan & {sides: Sides}} plan
 * @returns {string | undefined} a sentence about the side; undefined where the message names no such file
 */
export function explainMissing (message, side, { sides, gate: { root = '', baseRef } }) {
  const { folder = '' } = sides[side]
  const named = [...message.matchAll(/(?:file:\/\/)?(\/[^'"\s]+|[A-Za-z]:\\[^'"\s]+)/g)].map(([, file]) =>
    file.replace(/(:\d+)*[:,;.)]*$/, '')
  )
  const inside = named.map(file => path.relative(folder, file)).filter(file => file && !file.startsWith('..'))
  const lacking = inside.find(file => !existsSync(path.join(folder, file)))
  if (lacking === undefined) return undefined
  const submodule = submoduleOf(root, lacking)
  if (submodule) {
    return (
      `it lacks ${lacking}: the submodule ${submodule} is not here as this side needs it (git submodule ` +
      'update --init)'
    )
  }
  const isThere = existsSync(path.join(root, lacking))
  if (isIgnored(root, lacking)) return `it lacks ${lacking}, which git ignores: ${REMEDY}`
  if (isThere) return `it lacks ${lacking}, which is not in ${side === 'head' ? 'git' : baseRef}`
  return `it lacks ${lacking}, as the working tree does: ${REMEDY}, if a command makes it`
}

/**
 * @param {string} root
 * @param {string} file
 */
function isIgnored (root, file) {
  return !file.split(path.sep).includes(PACKAGES) && askGit(root, ['check-ignore', '--', file]) !== ''
}

/**
 * @param {string} root
 * @param {string} file
 * @returns {string | undefined}
 */
function submoduleOf (root, file) {
  const listed = askGit(root, ['ls-files', '--stage'])
  const submodules = [...listed.matchAll(/^160000 \S+ \d\t(.+)$/gm)].map(([, name]) => name)
  return submodules.find(name => file.startsWith(name + path.sep))
}
