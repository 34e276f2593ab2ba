/** The same steps for the next project, file or module; or for the same one. */

import {
  badEdit,
  claude,
  codex,
  each,
  edit,
  type Healthy,
  hex,
  pick,
  read,
  type Stuck,
  secs,
  times,
  use,
  useId,
} from './build.js'

const SERVICES = ['billing', 'catalog', 'search', 'notify', 'media', 'orders', 'stock', 'users']

export const healthy: Healthy[] = [
  {
    title:
      'Lints and packs sixteen charts in one shell: changes the folder, then the same commands',
    events: times(16, (i) => [
      ...claude(`cd /charts/chart-${hex(i, 4)}`, ''),
      ...claude('helm lint .', '1 chart(s) linted, 0 chart(s) failed'),
      ...claude('helm dependency update', 'Saving 0 charts\nDeleting outdated charts'),
      ...claude('helm package .', 'Successfully packaged chart'),
    ]),
  },
  {
    title: 'Tags twelve repositories: a tool changes the folder, then the same three commands',
    events: times(12, (i) => [
      ...use('chdir', { path: `/src/${pick(i, SERVICES)}-${i}` }, 'ok'),
      ...use('run_command', { command: 'git fetch --tags' }, ''),
      ...use('run_command', { command: 'git tag v3.0.0' }, ''),
      ...use('run_command', { command: 'git push origin v3.0.0' }, 'Everything up-to-date'),
    ]),
  },
  {
    title: 'Moves eight services to a new Node version: edit, install, build and test in each',
    events: each(SERVICES, (name, i) => [
      ...edit(`/repo/${name}/package.json`, '"node": "18"', '"node": "22"'),
      ...claude(
        `cd /repo/${name} && npm install`,
        `added ${i + 2} packages in ${secs(i)}s\nfound 0 vulnerabilities`,
      ),
      ...claude(`cd /repo/${name} && npm run build`, '> tsc -p .'),
      ...claude(
        `cd /repo/${name} && npm test`,
        `Tests:       12 passed, 12 total\nTime:        ${secs(`t${i}`)} s`,
      ),
    ]),
  },
  {
    title: 'Migrates modules one by one; the first build of each fails with the same error',
    events: each(SERVICES, (name, i) => [
      ...codex(
        `./gradlew :${name}:build`,
        `e: file:///repo/${name}/src/main/kotlin/Main.kt:3:8 Unresolved reference 'javax'.\nBUILD FAILED in ${secs(i)}s`,
        1,
      ),
      ...useId(
        'apply_patch',
        {
          input: `*** Begin Patch\n*** Update File: ${name}/src/main/kotlin/Main.kt\n-import javax.inject.Inject\n+import jakarta.inject.Inject\n*** End Patch`,
        },
        `Success. Updated the following files:\nM ${name}/src/main/kotlin/Main.kt\n`,
        true,
      ),
      ...codex(`./gradlew :${name}:build`, `BUILD SUCCESSFUL in ${secs(`s${i}`)}s`),
    ]),
  },
  {
    title: 'Adds a licence header to thirty files; each answer is the same sentence',
    events: times(30, (i) =>
      use(
        'str_replace_editor',
        {
          command: 'insert',
          path: `/workspace/lib/part${i}.rb`,
          insert_line: 0,
          new_str: '# SPDX-License-Identifier: MIT',
        },
        'The file has been edited. Review the changes and make sure they are as expected.',
      ),
    ),
  },
  {
    title: 'Sets one field in many customer records',
    events: times(25, (i) => [
      ...use('crm_get', { id: 4100 + i }, { id: 4100 + i, region: null }, true),
      ...use('crm_update', { id: 4100 + i, region: 'DACH' }, { ok: true }, true),
    ]),
  },
]

export const stuck: Stuck[] = [
  {
    title: 'Goes into one folder and builds it there, again and again',
    events: times(14, () => [
      ...claude('cd /repo/app', ''),
      ...claude('cmake --build .', 'Error: could not load cache', 1),
    ]),
    alarmBy: 14,
  },
  {
    title:
      'Edit, build, edit, build of one service: the edit is refused and the build fails the same',
    events: times(10, (i) => [
      ...badEdit('/repo/billing/src/tax.ts', 'return rate * net', 'return round(rate * net)'),
      ...claude(
        'cd /repo/billing && npm run build',
        `src/tax.ts(9,3): error TS2304: Cannot find name 'round'. (${secs(i)}s)`,
        2,
      ),
    ]),
    alarmBy: 8,
  },
  {
    title: 'Install, build and test of one project, three calls a round, with the same failure',
    events: times(10, (i) => [
      ...codex('cd media && npm ci', `added 412 packages in ${secs(i)}s`),
      ...codex(
        'cd media && npm run build',
        `vite v6.2.0 building for production...\n✗ Build failed in ${secs(`b${i}`)}s\nerror during build:\nCould not resolve "./player.css" from "src/main.ts"`,
        1,
      ),
      ...codex('cd media && npm test', 'Error: Cannot find dist/main.js. Build first.', 1),
    ]),
    alarmBy: 12,
  },
  {
    title: 'Reads, patches and reads one file; the patch never applies',
    events: times(10, () => [
      ...read('/repo/stock/app.py', '1\tdef reserve(sku, n):\n2\t    return db.take(sku, n)'),
      ...useId(
        'apply_patch',
        {
          input:
            '*** Begin Patch\n*** Update File: stock/app.py\n-    return take(sku, n)\n+    return take(sku, n, lock=True)\n*** End Patch',
        },
        'apply_patch verification failed: Failed to find expected lines in /repo/stock/app.py:\n    return take(sku, n)',
      ),
    ]),
    alarmBy: 8,
  },
  {
    title: 'Deploys one service in rounds of four calls; the health check fails the same',
    events: times(10, (i) => [
      ...use('build_image', { service: 'notify' }, `built sha256:${hex(`img${i}`, 12)}`, true),
      ...use('push_image', { service: 'notify' }, 'pushed', true),
      ...use(
        'deploy',
        { service: 'notify', env: 'staging' },
        `deployment dep-${hex(`dep${i}`, 6)} created`,
        true,
      ),
      ...use(
        'health',
        { service: 'notify', env: 'staging' },
        'unhealthy: missing environment variable SMTP_URL',
        false,
      ),
    ]),
    alarmBy: 24,
  },
]
