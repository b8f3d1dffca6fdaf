/** A worker of a cluster (see cluster.js). */
import { answer } from '../../processes/answer.js'
import { MeasuredServer } from './server.js'

answer(/** @type {any} */ (new MeasuredServer()))
