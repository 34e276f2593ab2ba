'use client'

/**
 * The entry `loophound/react`: a guard for the life of a component, and the timeline of a scan.
 *
 * @module
 */

export { LoopTimeline, type LoopTimelineProps } from './loop-timeline.js'
export { type LoopGuardState, useLoopGuard } from './use-loop-guard.js'
