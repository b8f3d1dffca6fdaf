/**
 * Stands for benchmark/common.js of Node's repository, where these files belong. timerq answers createBenchmark, as it
 * does there.
 */
'use strict'

exports.createBenchmark = () => {
  throw new Error('copy this folder into benchmark/ of Node, or measure it by timerq')
}
