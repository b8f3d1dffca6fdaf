/** The one place that chooses between files for Windows (*.windows.js) and for other systems (*.posix.js). */
import path from 'node:path'
import * as posix from './end-tree.posix.js'
import * as windows from './end-tree.windows.js'
import * as start from './start.windows.js'

export const isWindows = process.platform === 'win32'

export const { endTree, endRest, hasSignals, signalTree } = isWindows ? windows : posix

/** @type {typeof start.startable} */
export const startable = isWindows ? start.startable : words => ({ words, options: {} })

/**
 * Address of a local socket.
 *
 * @param {string} file  Name of a file that does not exist. Windows takes it for the name of a pipe.
 */
export const socketAt = file => (isWindows ? path.join('\\\\?\\pipe', path.resolve(file)) : file)
