/** Makes the page of the documentation from nothing but the samples that are kept beside it. */
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { judgeCalibration } from './judge.js'
import { renderCalibration } from './report.js'
import { unpack } from './samples.js'

const DOCS = fileURLToPath(new URL('../../docs', import.meta.url))
export const PAGE_FOLDER = path.join(DOCS, 'calibration')
export const SAMPLES_FILE = path.join(PAGE_FOLDER, 'samples.jsonl.gz')
const SEED = 1

/** @returns {{file: string, text: string}} */
export function makePage () {
  const { environment, measurements } = unpack(SAMPLES_FILE)
  const calibration = judgeCalibration(measurements, { cores: environment.cores, seed: SEED })
  return { file: path.join(DOCS, 'calibration.md'), text: renderCalibration(calibration, environment) }
}
