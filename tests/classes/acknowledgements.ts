/** Actions that a tool only acknowledges: input events, moves, page turns. */

import { each, type Healthy, opencode, type Stuck, times, use, useId } from './build.js'

const press = (key: string) =>
  use(
    'browser_press_key',
    { key },
    `### Ran Playwright code\n\`\`\`js\n// Press ${key}\nawait page.keyboard.press('${key}');\n\`\`\``,
  )

export const healthy: Healthy[] = [
  {
    title: 'Playwright: the arrow key down to each option of a list, with a snapshot at the end',
    events: each([7, 11, 5, 9], (count, round) => [
      ...times(count, () => press('ArrowDown')),
      ...use(
        'browser_snapshot',
        {},
        `- listbox "Country"\n  - option "${['Chad', 'Latvia', 'Malta', 'Peru'][round]}" [selected] [ref=e${count + 40}]`,
      ),
    ]),
  },
  {
    title: 'Computer use: scrolls through a contract in steps and clicks what it was looking for',
    events: [
      ...times(10, () =>
        useId(
          'computer',
          { action: 'scroll', coordinate: [640, 420], scroll_direction: 'down', scroll_amount: 5 },
          'Scrolled down 5 clicks at (640, 420)',
          true,
        ),
      ),
      ...useId(
        'computer',
        { action: 'left_click', coordinate: [212, 633] },
        'Clicked at (212, 633)',
        true,
      ),
      ...times(8, () => useId('computer', { action: 'key', text: 'Tab' }, 'Pressed Tab', true)),
      ...useId(
        'computer',
        { action: 'type', text: 'Greta Lindqvist' },
        'Typed 15 characters',
        true,
      ),
      ...useId('computer', { action: 'key', text: 'Return' }, 'Pressed Return', true),
    ],
  },
  {
    title: 'Android emulator: swipes through an introduction; adb prints nothing',
    events: each(['welcome', 'permissions', 'profile'], (screen) => [
      ...times(6, () => opencode('adb shell input swipe 900 1200 120 1200 180', '')),
      ...opencode(
        'adb shell dumpsys window | grep mCurrentFocus',
        `  mCurrentFocus=Window{u0 app.intro/.${screen}}`,
      ),
    ]),
  },
  {
    title: 'Laboratory robot: jogs the stage a little at a time and measures in between',
    events: times(5, (round) => [
      ...times(8, () => use('jog_axis', { axis: 'z', micrometres: 10 }, 'OK', true)),
      ...use('measure_focus', {}, { sharpness: 0.31 + round * 0.12 }, true),
    ]),
  },
  {
    title: 'Text adventure: walks a maze by repeating directions',
    events: each(
      ['north', 'north', 'north', 'east', 'east', 'north', 'north', 'west', 'down'],
      (way, step) => [
        ...times(3, () => use('act', { command: `go ${way}` }, `You go ${way}.`)),
        ...(step % 4 === 3
          ? use('act', { command: 'look' }, `A damp hall. Scratched on the wall: ${step}.`)
          : []),
      ],
    ),
  },
]

export const stuck: Stuck[] = [
  {
    title: 'Clicks one and the same spot over and over; the tool confirms every click',
    events: times(70, () =>
      useId(
        'computer',
        { action: 'left_click', coordinate: [514, 388] },
        'Clicked at (514, 388)',
        true,
      ),
    ),
    alarmBy: 40,
    atMost: 'nudge',
  },
  {
    title: 'Presses Enter for ever in a dialog that ignores it',
    events: times(70, () => use('send_keys', { keys: 'Enter' }, 'Keys sent.')),
    alarmBy: 40,
    atMost: 'nudge',
  },
  {
    title: 'Clicks "Load more" and reads a list that does not grow',
    events: times(25, () => [
      ...use('browser_click', { element: 'Load more', ref: 'e88' }, 'Clicked.'),
      ...use(
        'browser_get_text',
        { ref: 'e12' },
        'Showing 20 of 20 hotels\nHotel Alma\nHotel Brisa\nHotel Cova',
      ),
    ]),
    alarmBy: 16,
  },
  {
    title: 'Types the same text into a field that stays empty, and looks at it each time',
    events: times(20, () => [
      ...useId(
        'fill',
        { uid: '4_17', value: 'ops@nordwind.test' },
        'Successfully filled out the element',
        true,
      ),
      ...useId(
        'take_snapshot',
        { verbose: false },
        'uid=4_0 RootWebArea "Sign in"\n  uid=4_17 textbox "E-mail"\n  uid=4_18 button "Next" disabled',
        true,
      ),
    ]),
    alarmBy: 14,
  },
]
