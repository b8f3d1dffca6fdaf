/** Versions of the benchmark libraries that a file's project has: they differ in what they refuse. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

let file = import.meta.url

/** @param {string} url  File that imports the libraries. */
export function lookFrom (url) {
  file = url
}

/**
 * @param {string} name
 * @returns {number} Infinity where the project has none: then the newest is meant
 */
export function majorOf (name) {
  for (const folder of createRequire(file).resolve.paths(name) ?? []) {
    try {
      return parseInt(JSON.parse(readFileSync(path.join(folder, name, 'package.json'), 'utf8')).version)
    } catch {}
  }
  return Infinity
}
