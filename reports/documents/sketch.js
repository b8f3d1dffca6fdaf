/** A table of a sketch, in the columns of tinybench. */
import { formatNumber, formatPercent, placeOf } from '../../harness/model/numbers.js'
import { createDocument, number, table } from '../blocks.js'
/** @import { CellPlace } from '../../harness/model/cell.js' */
/** @import { SketchedRow } from '../../harness/subject/micro/sketch.js' */

/** @param {{place: Pick<CellPlace, 'scenario' | 'params'>, rows: SketchedRow[]}} sketched */
export const sketchDocument = ({ place: { scenario, params }, rows }) =>
  createDocument([
    table({
      caption: placeOf({ scenario, params }),
      columns: ['queue', number('ops/s'), number('margin'), number('median ns/op'), number('samples')],
      rows: rows.map(({ queue, opsPerSecond, margin, nsPerOp, samples }) => [
        queue,
        formatNumber(opsPerSecond),
        `±${formatPercent(margin)}`,
        formatNumber(nsPerOp),
        String(samples)
      ])
    })
  ])
