/**
 * `loophound scan`: reports where an agent was stuck in a loop.
 *
 * @module
 */

import { readFileSync } from 'node:fs'
import { type ScanFinding, type ScanOptions, type ScanReport, scan } from 'loophound'
import { DETECTOR_OPTIONS, detectorOptions, readArguments, UsageError } from './options.js'
import { bold, dim, red, wrap, write, yellow } from './terminal.js'

/**
 * Runs the command.
 *
 * @throws UsageError for a mistake in the options, or a transcript that cannot be read.
 */
export async function scanCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, {
    ...DETECTOR_OPTIONS,
    format: { type: 'string' },
    json: { type: 'boolean' },
  })
  const [file, ...more] = positionals
  if (file === undefined) throw new UsageError('Which transcript? None was named.')
  if (more.length > 0) throw new UsageError(`One transcript at a time; got ${positionals.length}.`)
  const options: ScanOptions = detectorOptions(values)
  if (values.format !== undefined) options.format = values.format as 'auto'
  const report = judge(file, options)
  write(values.json ? `${JSON.stringify(report, null, 2)}\n` : readable(file, report))
  return report.stuck ? 1 : 0
}

function judge(file: string, options: ScanOptions): ScanReport {
  const name = file === '-' ? 'standard input' : file
  try {
    return scan(readFileSync(file === '-' ? 0 : file, 'utf8'), options)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new UsageError(`There is no file ${name}.`)
    throw new UsageError(`${name} cannot be read: ${message}.`)
  }
}

function readable(file: string, report: ScanReport): string {
  const { format, calls, results, turns, findings } = report
  const head = `${bold(file)}  ${dim(`${format}: ${calls} calls, ${results} results, ${turns} turns`)}\n`
  return `${head}\n${findings.map(finding).join('')}${conclusion(report)}\n`
}

function finding({ call, verdict }: ScanFinding): string {
  const { action, kind, pattern, message } = verdict
  const colour = action === 'nudge' ? yellow : red
  const where = call < 0 ? 'start' : `call ${call + 1}`
  const what = [`${kind}`, ...(pattern.length > 0 ? [pattern.join(' → ')] : [])].join('  ')
  const text = message ? `${dim(wrap(message, '    '))}\n` : ''
  return `${where.padEnd(10)}${colour(action.padEnd(6))} ${what}\n${text}\n`
}

function conclusion({ stuck, first, verdict, findings }: ScanReport): string {
  if (!first) return 'No loop found.'
  const found = `${findings.length} ${findings.length === 1 ? 'finding' : 'findings'}`
  if (!stuck) return `${found}, none of them a loop.`
  return bold(`A loop was found: ${found}, the hardest "${verdict.action}".`)
}
