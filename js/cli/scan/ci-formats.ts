/**
 * Outputs that CI systems show: SARIF, JUnit XML, and the annotations of GitHub.
 *
 * @module
 */

import type { ScanFinding } from 'loophound'
import { placeOf, several, spentWords } from '../../report/figures.js'
import type { FolderReport, SessionReport } from '../../report/folder-report.js'
import { printable } from '../terminal.js'

/** The outputs by name. */
export const CI_FORMATS: ReadonlyMap<string, (report: FolderReport) => string> = new Map([
  ['sarif', sarif],
  ['junit', junit],
  ['github', github],
])

/** One sentence about a loop. */
function sentence(loop: ScanFinding): string {
  const { wasted, agent } = loop
  const whose = agent === '' ? '' : ` of ${agent}`
  const lost = [`${several(wasted, 'call')} wasted`, ...spentWords(loop)].join(', ')
  return printable(`${loop.verdict.summary ?? loop.kind} (${placeOf(loop)}${whose}: ${lost})`)
}

const isHard = ({ action }: ScanFinding) => action !== 'nudge'

function sarif({ loophound, sessions, failures }: FolderReport): string {
  const kinds = new Set(sessions.flatMap(({ loops }) => loops.map(({ kind }) => kind)))
  const place = (file: string) => [
    { physicalLocation: { artifactLocation: { uri: encodeURI(file.replaceAll('\\', '/')) } } },
  ]
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'loophound',
            version: loophound,
            rules: [...kinds].map((id) => ({ id, shortDescription: { text: `Loop: ${id}` } })),
          },
        },
        invocations: [
          {
            executionSuccessful: failures.length === 0,
            toolExecutionNotifications: failures.map(({ file, reason }) => ({
              level: 'error',
              message: { text: printable(reason) },
              locations: place(file),
            })),
          },
        ],
        results: sessions.flatMap(({ file, loops }) =>
          loops.map((loop) => ({
            ruleId: loop.kind,
            level: isHard(loop) ? 'error' : 'warning',
            message: { text: sentence(loop) },
            locations: place(file),
          })),
        ),
      },
    ],
  }
  return `${printableJson(log)}\n`
}

const printableJson = (value: unknown) =>
  JSON.stringify(value, null, 2).split('\n').map(printable).join('\n')

function junit({ sessions, failures, totals }: FolderReport): string {
  const cases = [...sessions.map(testCase), ...failures.map(brokenCase)]
  const counts = `tests="${cases.length}" failures="${totals.stuck}" errors="${failures.length}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="loophound" ${counts}>`,
    `  <testsuite name="loophound scan" ${counts}>`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function testCase({ file, format, loops, ms }: SessionReport): string {
  const head = `    <testcase name="${xml(file)}" classname="${format}" time="${((ms ?? 0) / 1000).toFixed(3)}"`
  if (loops.length === 0) return `${head}/>`
  const text = loops.map((loop) => `${sentence(loop)}\n`).join('')
  const [first] = loops
  const message = first ? xml(sentence(first)) : ''
  return `${head}>\n      <failure type="loop" message="${message}">${xml(text)}</failure>\n    </testcase>`
}

function brokenCase({ file, reason }: { file: string; reason: string }): string {
  return `    <testcase name="${xml(file)}" classname="unread">\n      <error message="${xml(reason)}"/>\n    </testcase>`
}

/** Escapes text for XML, and removes characters that XML does not allow; line ends stay. */
function xml(text: string): string {
  const safe = text
    .split('\n')
    .map(printable)
    .join('\n')
    .replace(/[\ufffe\uffff]/g, '')
  return safe
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

/** Returns workflow commands: a warning or an error for each loop. */
function github({ sessions, failures }: FolderReport): string {
  const line = (level: string, file: string, title: string, text: string) =>
    `::${level} file=${property(file)},title=${property(title)}::${data(text)}\n`
  const loops = sessions.flatMap(({ file, loops }) =>
    loops.map((loop) =>
      line(isHard(loop) ? 'error' : 'warning', file, `Loop: ${loop.kind}`, sentence(loop)),
    ),
  )
  const broken = failures.map(({ file, reason }) => line('error', file, 'Cannot be read', reason))
  return [...loops, ...broken].join('')
}

function data(text: string): string {
  return printable(text).replaceAll('%', '%25')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
