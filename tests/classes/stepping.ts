/** Debuggers, interpreters and pagers: the same command moves on, or does not. */

import { code, type Healthy, hex, num, type Stuck, times, use, useId } from './build.js'

const LINES = [
  '  while let Some(row) = rows.next() {',
  '    let key = hash(&row.name);',
  '    if seen.insert(key) {',
  '      out.push(row);',
  '    }',
]

export const healthy: Healthy[] = [
  {
    title: 'lldb: steps over the lines of a loop in the program; lines come round again',
    events: times(30, (i) =>
      use(
        'lldb',
        { command: 'thread step-over' },
        `Process 4711 stopped\n* thread #1, stop reason = step over\n-> ${60 + (i % 5)}  ${LINES[i % 5]}`,
      ),
    ),
  },
  {
    title: 'pdb: next, and a look at a variable that changes',
    events: times(14, (i) => [
      ...useId(
        'debugger',
        { input: 'n' },
        `> /srv/fit.py(${31 + (i % 4)})solve()\n-> ${['r = residual(x)', 'g = grad(x)', 'x = x - step * g', 'k += 1'][i % 4]}`,
        true,
      ),
      ...useId('debugger', { input: 'p x' }, `(Pdb) ${(4 / (i + 1)).toFixed(6)}`, true),
    ]),
  },
  {
    title: 'Chrome DevTools: resumes to the next breakpoint; the counter differs',
    events: times(16, (i) =>
      use(
        'debugger_resume',
        {},
        { paused: true, url: 'app.js', line: 233, locals: { index: i, id: hex(i, 6) } },
        true,
      ),
    ),
  },
  {
    title: 'Pages through a manual with the space key; every page is another',
    events: times(12, (i) => use('tmux_send', { keys: 'Space' }, code(`man${i}`, 12))),
  },
  {
    title: 'Interpreter: draws from a generator until it is empty',
    events: times(13, (i) =>
      useId('python', { code: 'print(next(batches))' }, `Batch(rows=512, first=${i * 512})`, true),
    ),
  },
]

export const stuck: Stuck[] = [
  {
    title: 'gdb stays on one line: the program waits for a lock',
    events: times(40, () =>
      use(
        'gdb',
        { command: 'next' },
        '0x00007ffff7e2a117 in __futex_abstimed_wait_common64 () from /lib/libc.so.6',
      ),
    ),
    alarmBy: 20,
  },
  {
    title: 'gdb: the program has ended, and next is sent again and again',
    events: times(30, () =>
      useId('debugger', { input: 'next' }, 'The program is not being run.', false),
    ),
    alarmBy: 6,
  },
  {
    title: 'Asks for the next page and gets the last one each time',
    events: times(30, () =>
      use(
        'next_page',
        {},
        'Results 91–97 of 97\n91 Ahorn\n92 Birke\n93 Buche\n94 Eiche\n95 Erle\n96 Esche\n97 Ulme',
        true,
      ),
    ),
    alarmBy: 10,
  },
  {
    title: 'Interpreter: evaluates an expression that raises, over and over',
    events: times(20, (i) =>
      use(
        'run_python',
        { code: 'frame.pivot(index="day", columns="city")' },
        `Traceback (most recent call last):\n  Cell In[${i + 4}], line 1\nValueError: Index contains duplicate entries, cannot reshape\n(${num(i, 2, 30)} ms)`,
      ),
    ),
    alarmBy: 6,
  },
]
