/**
 * `--html`: the report as one self-contained file, which cannot load or send anything.
 *
 * @module
 */

import { createHash } from 'node:crypto'
import { script, style } from 'report-page'
import { type FolderReport, withListedCalls } from '../../report/folder-report.js'

/** Writes the page. Everything from transcripts is data: it cannot become markup or code. */
export function htmlReport(report: FolderReport): string {
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  const data = { ...report, sessions: withListedCalls(report.sessions) }
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<title>loophound: where agents were stuck</title>',
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    '<div id="root"><noscript>This report needs JavaScript.</noscript></div>',
    `<script type="application/json" id="report">${escaped(data)}</script>`,
    `<script>${script}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n')
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

/** Returns JSON that contains no tag. */
function escaped(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}
