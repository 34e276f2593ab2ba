export { loopGuardPlugin } from 'loophound/opencode'
