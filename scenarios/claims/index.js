/** Claims of the source documents, a file for each document. */
import { clusterVersusAsync } from './cluster-vs-async.js'
import { elsewhere } from './elsewhere.js'
import { neqo } from './neqo.js'
import { semiSpace } from './semi-space.js'
import { since2024 } from './since-2024.js'
import { unrefactive } from './unrefactive.js'

/** @import { Claim, Document, Machine } from './claim.js' */

/** @type {Document[]} */
export const documents = [unrefactive, neqo, clusterVersusAsync, semiSpace, elsewhere, since2024]

/** @type {(machine: Machine) => Claim[]} */
export const claimsOf = machine => documents.flatMap(document => document(machine))
