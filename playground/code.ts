/**
 * The options as code to copy.
 *
 * @module
 */

import type { LoopDetectorOptions } from 'loophound'

export const TARGETS = ['JavaScript', 'command line', 'CI'] as const
export type Target = (typeof TARGETS)[number]

/** Writes code that uses these options. */
export function codeFor(target: Target, options: LoopDetectorOptions): string {
  const { preset, ...changes } = options
  const isPreset = Object.keys(changes).length === 0
  const file = JSON.stringify(options, null, 2)
  switch (target) {
    case 'JavaScript': {
      const given = isPreset ? (preset ? quote(preset) : '') : literal({ detector: options })
      return `import { LoopGuard } from 'loophound'\n\nconst guard = new LoopGuard(${given})\n`
    }
    case 'command line':
      if (isPreset)
        return `npx loophound scan${preset ? ` --preset ${preset}` : ''} session.jsonl\n`
      return `cat > loophound.json <<'EOF'\n${file}\nEOF\nnpx loophound scan --options loophound.json session.jsonl\n`
    case 'CI': {
      const given = isPreset ? (preset ? ` --preset ${preset}` : '') : ' --options loophound.json'
      const comment = isPreset ? '' : `# loophound.json:\n${file.replaceAll(/^/gm, '#   ')}\n`
      return `${comment}- name: Look for loops in the agent's sessions\n  run: npx loophound scan${given} --format github sessions/\n`
    }
  }
}

/** A value as JavaScript: JSON, with names and texts as people write them. */
function literal(value: unknown): string {
  return JSON.stringify(value, null, 2)
    .replaceAll(/^( +)"([A-Za-z_]\w*)":/gm, '$1$2:')
    .replaceAll(/"([^"'\\]*)"/g, "'$1'")
}

const quote = (text: string) => `'${text}'`
