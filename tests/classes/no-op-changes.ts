/** Shell commands that change nothing, because all is done already. */

import {
  claude,
  codex,
  each,
  edit,
  gemini,
  type Healthy,
  opencode,
  type Stuck,
  secs,
  times,
} from './build.js'

export const healthy: Healthy[] = [
  {
    title: 'mkdir -p before every download',
    events: times(10, (i) => [
      ...claude('mkdir -p data/raw', ''),
      ...claude(`curl -sSo data/raw/part${i}.csv https://data.test/part${i}.csv`, ''),
    ]),
  },
  {
    title: 'Edit, git add and commit, many times',
    events: times(9, (i) => [
      ...edit(`/site/posts/p${i}.md`, 'draft: true', 'draft: false'),
      ...claude('git add -A', ''),
      ...claude(
        `git commit -m "Publish p${i}"`,
        `[main ${(i + 3571).toString(16)}c1] Publish p${i}\n 1 file changed, 1 insertion(+), 1 deletion(-)`,
      ),
    ]),
  },
  {
    title: 'npm install after each change of package.json; mostly up to date',
    events: times(6, (i) => [
      ...edit('/site/package.json', `"s${i}": "x"`, `"s${i}": "y"`),
      ...claude(
        'npm install',
        `up to date, audited 214 packages in ${secs(i)}s\nfound 0 vulnerabilities`,
      ),
      ...claude(`npm run s${i}`, `script ${i} done`),
    ]),
  },
  {
    title: 'sed -i over many files; none prints anything',
    events: each(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'], (name) =>
      opencode(`sed -i 's/http:/https:/' conf/${name}.ini`, ''),
    ),
  },
]

export const stuck: Stuck[] = [
  {
    title: 'The same sed -i, which has nothing left to change',
    events: times(25, () => claude("sed -i 's/DEBUG = True/DEBUG = False/' settings.py", '')),
    alarmBy: 8,
  },
  {
    title: 'mkdir -p of one folder, over and over',
    events: times(25, () => gemini('mkdir -p build/assets', '')),
    alarmBy: 8,
  },
  {
    title: 'npm install, up to date each time, with nothing in between',
    events: times(25, (i) =>
      codex(
        'npm install',
        `up to date, audited 214 packages in ${secs(i)}s\n\nfound 0 vulnerabilities`,
      ),
    ),
    alarmBy: 10,
    atMost: 'block',
  },
  {
    title: 'git add and git status in turn; nothing is ever committed',
    events: times(15, () => [
      ...opencode('git add .', ''),
      ...opencode('git status --short', 'M  lib/cache.ex'),
    ]),
    alarmBy: 12,
  },
]
