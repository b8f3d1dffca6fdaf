/** Claims D: the size of the semi-space of the young generation, on Node 8, where the default was 16 MB. */

/** @import { CellSpec, Document } from './claim.js' */

const [small, ...larger] = [16, 64, 128, 256].map(
  size =>
    /** @type {CellSpec} */ ({
      scenario: 'garbage',
      queue: 'node',
      flags: `--max-semi-space-size=${size}`,
      label: `${size} MB`
    })
)
const [mb64, mb128, mb256] = larger

/** 256 MB gain nothing if they cost at least this share of the CPU of 128 MB. */
const NO_FURTHER_GAIN = 1 / 1.05

/** @type {Document} */
export const semiSpace = () => [
  {
    id: 'D1',
    claim: 'Scavenges fall about in proportion to the size of the semi-space',
    documented: '16 -> 64 MB: about 1000 -> 294 in 3 minutes',
    holds: [{ metric: 'scavengesPerThousandRequests', of: small, to: mb64, above: 2, below: 8 }]
  },
  {
    id: 'D2',
    claim: 'A larger semi-space costs less CPU, and beyond some size there is no further gain',
    documented: '128 MB: 145, twice as long each; 256 MB: 72, 150 ms each',
    holds: [
      { metric: 'windowCpuMicrosPerRequest', of: small, to: { lowest: larger }, above: 1 },
      { metric: 'windowCpuMicrosPerRequest', of: mb64, to: mb128 },
      { metric: 'windowCpuMicrosPerRequest', of: mb256, to: mb128, above: NO_FURTHER_GAIN }
    ]
  }
]
