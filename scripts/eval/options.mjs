// What the command line asks for.
import { parseArgs } from 'node:util'
import { Failure } from '../support/failure.mjs'
import { POLICIES } from './policies.mjs'

const names = POLICIES.map(({ id }) => id).join(', ')

export const HELP = `Measures loop detection on real trajectories.

  npm run eval [-- <options>]

  --corpus <dir>       where the trajectories are; ../shared/corpus if absent
  --only <policy,…>    only these policies
  --show <id>          a trajectory with the verdicts in it, by balanced or by --only's policy
  --misses [policy]    the loops that a policy (balanced if absent) does not see in time
  --alarms [policy]    its false alarms, those on the strong models included
  --json               all figures as JSON
  --write              also write docs/evaluation.md and its chart
  --help               this text

The policies are: ${names}.
`

export function readOptions(args) {
  const { values, positionals } = parse(args)
  const { misses, alarms, show } = values
  const isList = Boolean(misses || alarms)
  if (positionals.length > (isList ? 1 : 0)) {
    throw new Failure(`"${positionals.at(-1)}" is one word too many.`, 'See --help.')
  }
  if ([misses, alarms, show, values.json, values.write].filter(Boolean).length > 1) {
    throw new Failure('Of --misses, --alarms, --show, --json and --write, give only one.')
  }
  if (values.only && values.write) {
    throw new Failure('--write describes all policies; --only leaves some out.')
  }
  const single = isList || show ? (positionals[0] ?? values.only ?? 'balanced') : values.only
  return { ...values, policies: single === undefined ? POLICIES : single.split(',').map(policyOf) }
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
