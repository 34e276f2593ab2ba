/**
 * The commands that read transcripts. They are built into a separate file, `cli-scan.js`, which
 * threads run, too.
 *
 * @module
 */

export { scanCommand } from './command.js'
export { explainCommand } from './explain.js'
