/** What the source documents claim, a file for each document. */
import { clusterVersusAsync } from './cluster-vs-async.js'
import { elsewhere } from './elsewhere.js'
import { neqo } from './neqo.js'
import { semiSpace } from './semi-space.js'
import { unrefactive } from './unrefactive.js'

export const claims = [...unrefactive, ...neqo, ...clusterVersusAsync, ...semiSpace, ...elsewhere]
