/**
 * Checks that the TypeScript of code blocks compiles as strictly as a user may have set it.
 *
 * @module
 */

import { writeFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { type Block, inRoot } from './pages.js'

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  // TypeScript's own declarations are not what is checked here.
  skipDefaultLibCheck: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.esnext.disposable.d.ts'],
  module: ts.ModuleKind.ESNext,
  moduleDetection: ts.ModuleDetectionKind.Force,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  typeRoots: [inRoot('node_modules/@types')],
  types: ['node'],
  paths: { loophound: [inRoot('pkg/dist/index.d.ts')] },
}

/** What the compiler has to say, each with the place in the documentation. */
export function typeErrors(blocks: readonly Block[], folder: string): string[] {
  const files = new Map<string, Block>()
  for (const block of blocks) {
    const file = path.join(folder, `${block.at.replace(/\W+/g, '-')}.ts`)
    writeFileSync(file, block.code)
    files.set(file, block)
  }
  const program = ts.createProgram([...files.keys()], OPTIONS)
  return ts.getPreEmitDiagnostics(program).map((diagnostic) => {
    const text = ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n')
    const block = files.get(diagnostic.file?.fileName ?? '')
    if (!block || !diagnostic.file) return text
    const { line } = diagnostic.file.getLineAndCharacterOfPosition(diagnostic.start ?? 0)
    return `${block.at.replace(/:\d+$/, '')}:${block.line + line}: ${text}`
  })
}
