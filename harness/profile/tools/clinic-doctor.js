/** clinic doctor: names the fault of a server. */
import { clinic } from './clinic.js'

export const tool = clinic('doctor')
