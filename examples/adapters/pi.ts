export { loopGuardExtension as default } from 'loophound/pi'
