/**
 * @typedef {import('../scenarios/contract.js').MicroScenario} MicroScenario
 * @typedef {import('../scenarios/contract.js').HttpScenario} HttpScenario
 */

/**
 * @param {string} url
 * @returns {Promise<MicroScenario | HttpScenario>}
 */
export async function loadScenario (url) {
  const { scenario } = await import(url)
  return scenario
}
