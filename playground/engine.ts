/**
 * The package, for the scripts of the page: they share one copy of it.
 *
 * @module
 */

import * as main from 'loophound'
import * as transcripts from 'loophound/transcripts'

Object.assign(globalThis, {
  loophoundPackage: { loophound: main, 'loophound/transcripts': transcripts },
})
