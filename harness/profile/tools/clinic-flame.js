/** clinic flame: where a server's CPU goes. */
import { clinic } from './clinic.js'

export const tool = clinic('flame')
