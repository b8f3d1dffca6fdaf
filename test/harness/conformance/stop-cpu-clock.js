/**
 * From now on a check believes that each of its parts has taken this much CPU time: what is tried does not depend on the machine.
 *
 * @param {import('node:test').TestContext} t
 * @param {number} [micros]
 */
export function stopCpuClock (t, micros = 0) {
  t.mock.method(process, 'cpuUsage', () => ({ user: micros, system: 0 }))
}
