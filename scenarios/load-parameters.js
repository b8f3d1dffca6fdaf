/** Parameters of the load generator in every HTTP scenario. */
export const loadParameters = {
  connections: { title: 'open connections', minimum: 1 },
  threads: { title: 'threads of the load generator', minimum: 1 },
  seconds: { title: 'length of the measured window', minimum: 1 }
}

/** Load of the Node wiki on connections that stay open. */
export const keepAlivePresets = {
  quick: { connections: [400], threads: [2], seconds: [1] },
  documented: { connections: [400], threads: [12], seconds: [30] },
  ci: { connections: [50], threads: [1], seconds: [1] }
}

/** Load of the Node wiki on connections that time out. */
export const timeoutPresets = {
  quick: { connections: [1000], threads: [2], seconds: [3] },
  documented: { connections: [5000], threads: [12], seconds: [30] },
  ci: { connections: [100], threads: [1], seconds: [1] }
}
