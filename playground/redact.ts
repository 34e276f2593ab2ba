/**
 * Removes private data from a transcript, and keeps what makes a loop: equal texts stay
 * equal, and different texts stay different.
 *
 * @module
 */

/** Names of what is secret, whatever it looks like. */
const SECRET =
  /passw(?:or)?d|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|authorization|credential|cookie/i

/** What is looked for in every text, the most telling first. */
const KINDS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['private key', /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g],
  ['secret', /(?<=\b(?:bearer|basic)\s+)[\w.~+/=-]{8,}/gi],
  [
    'secret',
    new RegExp(
      `(?<=(?:${SECRET.source})[\\w-]*["']?[=:]\\s*["']?)(?!bearer |basic |\\[secret )[^\\s"',;&]+`,
      'gi',
    ),
  ],
  ['token', /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g],
  ['key', /\b(?:sk|pk|rk|ghp|gho|ghs|github_pat|glpat|xox[abps]|AKIA|AIza|npm|hf)[-_]?[\w-]{16,}/g],
  ['email', /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g],
  ['url', /\b[a-z][a-z+.-]*:\/\/[^\s"'<>)\]]+/g],
  ['address', /\b\d{1,3}(?:\.\d{1,3}){3}\b/g],
  ['path', /(?:[A-Za-z]:\\|~?\/|\.{1,2}\/)?(?:[\w.@-]+[\\/])+[\w.@-]*|~?\/[\w.@-]+/g],
  ['secret', /\b(?=\w*\d)(?=\w*[A-Za-z])[\w+=-]{32,}/g],
]

/** Longer texts are replaced by their length. */
const LONG = 160
/** Fields that say what a record is. Readers need them as they are. */
const KEPT = /^(?:t|type|role|kind|status|subtype|name|tool|tool_name|toolName|model|timestamp|at)$/

/** Redacts the text of a transcript: JSON, JSON lines, or any other text line by line. */
export function redact(text: string): string {
  const names = new Names()
  const whole = parse(text)
  if (whole !== undefined) return JSON.stringify(redactValue(whole, '', names))
  return text
    .split('\n')
    .map((line) => {
      const value = parse(line)
      return value === undefined ? names.clean(line) : JSON.stringify(redactValue(value, '', names))
    })
    .join('\n')
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : undefined
  } catch {
    return undefined
  }
}

function redactValue(value: unknown, key: string, names: Names): unknown {
  if (typeof value === 'string') return redactText(value, key, names)
  if (Array.isArray(value)) return value.map((part) => redactValue(part, key, names))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      names.clean(name),
      redactValue(part, name, names),
    ]),
  )
}

function redactText(text: string, key: string, names: Names): string {
  if (SECRET.test(key)) return names.of('secret', text)
  if (KEPT.test(key) && text.length <= LONG && !/[\s@]/.test(text)) return text
  // The arguments of a call are often JSON in a string.
  const inner = /^\s*[[{]/.test(text) ? parse(text) : undefined
  if (inner !== undefined) return JSON.stringify(redactValue(inner, key, names))
  const clean = names.clean(text)
  return clean.length > LONG ? names.of(`${text.length} characters`, text) : clean
}

/** Gives each private text a name: equal texts get the same one. */
class Names {
  readonly #known = new Map<string, string>()
  readonly #counts = new Map<string, number>()

  of(kind: string, text: string): string {
    const known = this.#known.get(`${kind} ${text}`)
    if (known) return known
    const count = (this.#counts.get(kind) ?? 0) + 1
    this.#counts.set(kind, count)
    const name = `[${kind} ${count}]`
    this.#known.set(`${kind} ${text}`, name)
    return name
  }

  clean(text: string): string {
    let clean = text
    for (const [kind, pattern] of KINDS) {
      clean = clean.replace(pattern, (found) => this.of(kind, found))
    }
    return clean
  }
}
