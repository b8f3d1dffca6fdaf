/** Parameters of the load generator in every HTTP scenario. */
export const loadParameters = {
  connections: { title: 'open connections', minimum: 1 },
  threads: { title: 'threads of the load generator', minimum: 1 },
  seconds: { title: 'length of the measured window', minimum: 1 }
}
