// wasm-bindgen's glue keeps its instance in a variable of its module, so that
// there can be only one. As a function, there can be one for each instance, and
// an instance that broke can be replaced (js/engine/instance.ts).
import { Failure } from '../support/failure.mjs'

export function glueFactory(glue, imports) {
  const names = []
  const body = glue.replace(/^export (class|function|const) (\w+)/gm, (_, keyword, name) => {
    names.push(imports.get(name) ?? name)
    return `${keyword} ${names.at(-1)}`
  })
  if (/^(export|import)\b/m.test(body)) {
    throw new Failure('wasm-bindgen writes glue that scripts/build/glue.mjs does not know.')
  }
  return `export function createGlue() {\n${body}\nreturn { ${names.join(', ')} }\n}\n`
}

export const glueTypes = `import type * as bindings from '../wasm/loophound.js'
export type Glue = typeof bindings & { __wbg_set_wasm(exports: unknown): void }
export declare function createGlue(): Glue
`
