/**
 * The measurements behind docs/example, which only a reader of raw data needs: lab/notebook/example has them packed.
 * `gunzip --keep` makes a results directory of it.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'

const PACKED = fileURLToPath(new URL('./notebook/example', import.meta.url))
const FILES = ['run.json', 'samples.jsonl']

/**
 * @param {string} directory  Results directory to make.
 * @returns {string} the directory
 */
export function unpackExample (directory) {
  mkdirSync(directory, { recursive: true })
  for (const file of FILES) {
    writeFileSync(path.join(directory, file), gunzipSync(readFileSync(path.join(PACKED, `${file}.gz`))))
  }
  return directory
}

/** @param {string} directory  Results directory of the example's run. */
export function packExample (directory) {
  mkdirSync(PACKED, { recursive: true })
  for (const file of FILES) packFile(path.join(directory, file), path.join(PACKED, `${file}.gz`))
}

/**
 * @param {string} file
 * @param {string} [packed]  Name of the packed file; the default replaces the file, as timerq reads packed profiles.
 */
export function packFile (file, packed = file) {
  writeFileSync(packed, gzipSync(readFileSync(file), { level: 9 }))
}
