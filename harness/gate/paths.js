/** Paths, folders and names of files, as git, Node and the sides of a gate have them. */
import { readdirSync } from 'node:fs'
import path from 'node:path'

export const PACKAGES = 'node_modules'
/** Files named in a sentence. */
const MOST_NAMES = 2

/** @param {string[]} files */
export const namesOf = files =>
  files.length > MOST_NAMES
    ? `${files.slice(0, MOST_NAMES).join(', ')} and ${files.length - MOST_NAMES} more`
    : files.join(' and ')

/** @param {string} file */
export const posixOf = file => file.split(path.sep).join('/')

/**
 * @param {string} folder
 * @param {string} file  Or the folder itself.
 */
export function isWithin (folder, file) {
  // Windows knows drives and folders by names in either case.
  const way = path.relative(folder, file)
  return way.split(path.sep)[0] !== '..' && !path.isAbsolute(way)
}

/**
 * Folders without packages, relative to the root; links are not followed.
 *
 * @param {string} root
 * @param {string} [folder]
 * @returns {string[]} the root first
 */
export function foldersIn (root, folder = '.') {
  const inside = readdirSync(path.join(root, folder), { withFileTypes: true })
  return [
    folder,
    ...inside
      .filter(entry => entry.isDirectory() && entry.name !== PACKAGES)
      .flatMap(({ name }) => foldersIn(root, path.join(folder, name)))
  ]
}

/** @type {(folder: string, place?: string) => string[]}  Without packages; relative to the folder, with slashes. */
export const filesIn = (folder, place = '') =>
  readdirSync(path.join(folder, place), { withFileTypes: true }).flatMap(entry => {
    const name = place === '' ? entry.name : `${place}/${entry.name}`
    if (entry.isDirectory()) return entry.name === PACKAGES ? [] : filesIn(folder, name)
    return entry.isFile() ? name : []
  })

/**
 * @param {string} folder
 * @returns {string[]} the nearest first
 */
export function foldersAbove (folder) {
  const above = path.dirname(folder)
  return above === folder ? [] : [above, ...foldersAbove(above)]
}
