/**
 * What the default preset must and must not do, by class of session: every class has work that
 * looks like a loop, and loops that look like work. What is expected comes from the design (which
 * evidence allows which action), not from what the engine does.
 */

import type { Action } from 'loophound'
import { describe, expect, it } from 'vitest'
import { classes } from './index.js'
import { type Alarm, alarmsOf, type Way } from './play.js'

const RANK: Record<Action, number> = { continue: 0, nudge: 1, block: 2, stop: 3 }
const WAYS: readonly Way[] = ['by turn', 'call by call']

const harderThan = (alarms: readonly Alarm[], most: Action) =>
  alarms.filter(({ action }) => RANK[action] > RANK[most])

/** The number of calls until the first of these alarms; infinite if there is none. */
const callsUntil = (alarms: readonly Alarm[]) => alarms[0]?.calls ?? Number.POSITIVE_INFINITY

for (const [name, { healthy, stuck }] of Object.entries(classes)) {
  describe(name, () => {
    it('has at least three cases of each kind', () => {
      expect(healthy.length).toBeGreaterThanOrEqual(3)
      expect(stuck.length).toBeGreaterThanOrEqual(3)
    })

    for (const way of WAYS) {
      describe(`healthy, ${way}`, () => {
        for (const { title, events, nudges = 0 } of healthy) {
          it(title, () => {
            const alarms = alarmsOf(events, way)
            expect(harderThan(alarms, 'nudge')).toEqual([])
            if (nudges === 0) expect(alarms).toEqual([])
            else expect(alarms.length).toBeLessThanOrEqual(nudges)
          })
        }
      })

      describe(`stuck, ${way}`, () => {
        for (const { title, events, alarmBy, atMost = 'stop', nudges, blockBy } of stuck) {
          it(title, () => {
            const alarms = alarmsOf(events, way)
            expect(callsUntil(alarms)).toBeLessThanOrEqual(alarmBy)
            expect(harderThan(alarms, atMost)).toEqual([])
            const soft = alarms.filter(({ action }) => action === 'nudge')
            expect(soft.length).toBeLessThanOrEqual(nudges ?? Number.POSITIVE_INFINITY)
            if (blockBy !== undefined) {
              expect(callsUntil(harderThan(alarms, 'nudge'))).toBeLessThanOrEqual(blockBy)
            }
          })
        }
      })
    }
  })
}
