/**
 * Property tests that try the same cases in every run, so that a test only fails after a change. Another
 * number tries others: `FC_SEED=7 npm run test:js`.
 *
 * @module
 */

import fc from 'fast-check'

fc.configureGlobal({ seed: Number(process.env.FC_SEED ?? 20_260_101) })

export default fc
