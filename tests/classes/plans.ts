/** The model's own plan: kept up to date beside work, or written again instead of it. */

import { each, type Healthy, num, pick, type Stuck, text, times, use } from './build.js'

const STEPS = ['Read the brief', 'Draw the layout', 'Write the copy', 'Check the links', 'Publish']

/** The plan with this many steps done; the next one may be under way. */
const plan = (done: number, isBegun = false) =>
  use(
    'update_plan',
    {
      plan: STEPS.map((step, i) => ({
        step,
        status: i < done ? 'completed' : i === done && isBegun ? 'in_progress' : 'pending',
      })),
    },
    'Plan updated',
    true,
  )

const todo = (contents: readonly string[]) =>
  use(
    'TodoWrite',
    { todos: contents.map((content) => ({ content, status: 'pending' })) },
    'Todos have been modified successfully. Please go on with the current task if applicable.',
    true,
  )

export const healthy: Healthy[] = [
  {
    title: 'Ticks off each step of a plan, with work before it',
    events: each(STEPS, (step, i) => [
      ...plan(i, true),
      ...use(
        'read_page',
        { title: step },
        `Notes on ${step.toLowerCase()}, ${num(step, 200, 900)} words.`,
      ),
      ...plan(i + 1),
    ]),
  },
  {
    title: 'Sends the same plan again after each of a few looks',
    events: times(4, (i) => [
      ...use('read_page', { title: `page ${i}` }, `Section ${i}: ${num(i, 200, 900)} words.`),
      ...plan(0, true),
    ]),
  },
  {
    title: 'Adds what it finds to a list of things to do',
    events: times(14, (i) => [
      ...use('grep', { pattern: `legacy_${i}` }, `src/mod${i}.ts:${num(i, 3, 80)}: legacy_${i}()`),
      ...todo(Array.from({ length: i + 1 }, (_, at) => `Replace legacy_${at}`)),
    ]),
  },
]

export const stuck: Stuck[] = [
  {
    title: 'Begins a step and takes it back',
    events: times(40, (i) => plan(1, i % 2 === 0)),
    alarmBy: 14,
    atMost: 'nudge',
  },
  {
    title: 'Four wordings of one plan in turn, and no step taken',
    events: times(40, (i) => [
      ...(i % 3 === 0 ? text(pick(i, ['First, a proper plan.', 'Let me structure this.'])) : []),
      ...todo(
        pick(i, [
          ['Gather the figures', 'Draft the report', 'Send it'],
          ['Collect the figures', 'Write the report', 'Send it off'],
          ['Find the numbers', 'Draft it', 'Mail it'],
          ['Collect all numbers', 'Write it up', 'Send it'],
        ]),
      ),
    ]),
    alarmBy: 20,
    atMost: 'nudge',
  },
  {
    title: 'Writes a plan, looks at the plan, writes it again',
    events: times(20, () => [...plan(0), ...use('read_todos', {}, JSON.stringify(STEPS), true)]),
    alarmBy: 12,
  },
]
