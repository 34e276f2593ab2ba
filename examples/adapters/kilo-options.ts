import type { Plugin } from '@kilocode/plugin'
import { loopGuardPlugin } from 'loophound/opencode'

export const LoopGuard: Plugin = (input) =>
  loopGuardPlugin(input, {
    detector: { preset: 'balanced', tools: { wait_for_build: { exempt: true } } },
    onVerdict: ({ action, summary }) => console.error(`${action}: ${summary}`),
  })
