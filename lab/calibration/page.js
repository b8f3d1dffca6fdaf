/** Makes the calibration's page of the notebook from the samples that are kept with it, and from nothing else. */
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { judgeCalibration } from './judge.js'
import { renderCalibration } from './report.js'
import { unpack } from './samples.js'

const NOTEBOOK = fileURLToPath(new URL('../notebook', import.meta.url))
export const PAGE_FOLDER = path.join(NOTEBOOK, 'calibration')
export const SAMPLES_FILE = path.join(PAGE_FOLDER, 'samples.jsonl.gz')
const SEED = 1

/** @returns {{file: string, text: string}} */
export function makePage () {
  const { environment, measurements } = unpack(SAMPLES_FILE)
  const calibration = judgeCalibration(measurements, { cores: environment.cores, seed: SEED })
  return { file: path.join(NOTEBOOK, 'calibration.md'), text: renderCalibration(calibration, environment) }
}
