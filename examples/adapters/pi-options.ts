import type { ExtensionAPI } from '@earendil-works/pi-coding-agent'
import { loopGuardExtension } from 'loophound/pi'

export default (pi: ExtensionAPI) =>
  loopGuardExtension(pi, {
    detector: { preset: 'balanced', tools: { wait_for_build: { exempt: true } } },
    onVerdict: ({ action, summary }) => console.error(`${action}: ${summary}`),
  })
