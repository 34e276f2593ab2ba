// What the command line asks for.
import { parseArgs } from 'node:util'
import { Failure } from '../support/cli.mjs'
import { POLICIES } from './policies.mjs'

const names = POLICIES.map(({ id }) => id).join(', ')

export const HELP = `Measures loop detection on real trajectories.

  npm run eval [-- <options>]

  --corpus <dir>       where the trajectories are; ../shared/corpus if absent
  --only <policy,…>    only these policies
  --show <id>          a trajectory with the verdicts in it, by balanced or by --only's policy
  --misses [policy]    the loops that a policy (balanced if absent) does not see in time
  --alarms [policy]    its false alarms, those on the strong models included
  --ablation           what each detector of balanced brings: each off in turn, each alone
  --thresholds         every number of balanced, and the figures with a lower and a higher one
  --validation         how far off balanced's figures may be, and what would be chosen without a source
  --breadth            agreement with the corpus' own rules on all trajectories
  --cost               the processor time of balanced, compared with nudge
  --json               all figures as JSON
  --write              everything of the above in docs/evaluation.md, and its chart
  --help               this text

The policies are: ${names}.
`

/** Of these there can be only one. */
const VIEWS = [
  ...['misses', 'alarms', 'show', 'json', 'write'],
  ...['ablation', 'thresholds', 'validation', 'breadth', 'cost'],
]

/** These are about all policies, or about balanced alone. */
const FIXED = ['write', 'ablation', 'thresholds', 'validation', 'cost']

export function readOptions(args) {
  const { values, positionals } = parse(args)
  const { misses, alarms, show, only } = values
  const isList = Boolean(misses || alarms)
  if (positionals.length > (isList ? 1 : 0)) {
    throw new Failure(`"${positionals.at(-1)}" is one word too many.`, 'See --help.')
  }
  if (VIEWS.filter((view) => values[view]).length > 1) {
    throw new Failure(`Of ${VIEWS.map((view) => `--${view}`).join(', ')}, give only one.`)
  }
  const fixed = FIXED.find((view) => values[view])
  if (only && fixed) throw new Failure(`--${fixed} does not go with --only.`, 'See --help.')
  const single = isList || show ? (positionals[0] ?? only ?? 'balanced') : only
  const policies = single === undefined ? POLICIES : single.split(',').map(policyOf)
  return { ...values, view: VIEWS.find((view) => values[view]) ?? null, policies }
}

function parse(args) {
  const text = { type: 'string' }
  const flag = { type: 'boolean' }
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        ...{ corpus: text, only: text, show: text },
        ...{ misses: flag, alarms: flag, json: flag, write: flag, help: flag },
        ...{ ablation: flag, thresholds: flag, validation: flag, breadth: flag, cost: flag },
      },
    })
  } catch (error) {
    throw new Failure(error.message, 'See --help.')
  }
}

function policyOf(word) {
  const policy = POLICIES.find(({ id }) => id === word.trim())
  if (!policy) throw new Failure(`There is no policy "${word}"; there are: ${names}.`)
  return policy
}
