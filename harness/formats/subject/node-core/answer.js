/** Answers createBenchmark in place of Node's benchmark/common.js. The rest of it, such as ports, is the file's own. */

/** Node's benchmarks import it by a path. */
const NODES_COMMON = /(^|\/)common(\.js)?$/

/** @type {(request: string, loaded: any, createBenchmark: (...args: any[]) => object) => any} */
export const answerCommon = (request, loaded, createBenchmark) =>
  NODES_COMMON.test(request) && loaded?.createBenchmark ? { ...loaded, createBenchmark } : loaded
