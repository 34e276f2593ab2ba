// Ordinary prose to measure on: the sentences of this project's documentation, without its code,
// tables, lists and headings, on which the peers do not work.
import { readdirSync, readFileSync } from 'node:fs'
import { inRoot } from '../support/files.mjs'

export function proseOfTheDocumentation() {
  const pages = readdirSync(inRoot('docs')).filter((name) => name.endsWith('.md'))
  const files = ['README.md', 'CONTRIBUTING.md', ...pages.map((name) => `docs/${name}`)]
  return files.map((file) => proseOf(readFileSync(inRoot(file), 'utf8'))).join(' ')
}

function proseOf(markdown) {
  return markdown
    .replace(/^```[\s\S]*?^```$/gm, '')
    .split('\n')
    .map((line) => line.replace(/^[-*+] |^\d+\. /, ''))
    .filter((line) => /^[A-Z`*]/.test(line) && !line.includes('|'))
    .join(' ')
    .replace(/[`*#>_]|\[|\]\([^)]*\)/g, '')
}
