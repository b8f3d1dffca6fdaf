/**
 * Required by NODE_OPTIONS, so that timers which a module of `node -r` keeps are recorded, too. Older Nodes cannot
 * require the hook, which is then imported later.
 */
const { emitWarning } = process
// Some Nodes call this experimental. The program's own output stays as it is.
process.emitWarning = () => {}
try {
  require('./hook.js')
} catch {
  // The import fails likewise, and shows why.
}
process.emitWarning = emitWarning
