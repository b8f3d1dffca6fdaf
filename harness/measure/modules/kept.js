/**
 * The folder in which processes keep what they make of a user's project (see formats/kept.js). Each plan begins a new
 * one, as files may have changed; it ends with this process.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { FIRST, Kept } from '../../formats/kept.js'

/** @type {string | undefined} */
let folder

export const keptFolder = () => folder

/** Begins a new folder. */
export function keepAnew () {
  if (folder === undefined) process.on('exit', forget)
  else forget()
  folder = mkdtempSync(path.join(os.tmpdir(), 'timerq-kept-'))
}

function forget () {
  rmSync(String(folder), { recursive: true, force: true })
}

/** Whether a process had to transform modules. */
export const hasTransformed = () => folder !== undefined && readdirSync(folder).some(name => name.endsWith(FIRST))

/**
 * Names files that processes will load: the first that has to start Vite transforms the others of its project, too.
 *
 * @param {string[]} urls
 */
export const keepFiles = urls => folder && new Kept(folder).write(urls, 'files')
