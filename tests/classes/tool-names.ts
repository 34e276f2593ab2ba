/** Tools whose names say what they do only in the middle, or that run commands elsewhere. */

import { each, type Healthy, type Stuck, times, use, uuid } from './build.js'

const disk = 'Filesystem  Size  Used Avail Use% Mounted on\n/dev/sdb1   2.0T  1.9T   12G 100% /srv'

export const healthy: Healthy[] = [
  {
    title: 'Different boards of one service are listed',
    events: each(
      ['sales', 'support', 'design', 'legal', 'hiring', 'events', 'press', 'travel'],
      (board) =>
        use('trello_list_cards', { board }, `[{"id":"${board}-1","name":"Plan ${board}"}]`, true),
    ),
  },
  {
    title: 'A record is updated again and again, each time another field',
    events: each(
      ['title', 'owner', 'due', 'labels', 'estimate', 'sprint', 'parent', 'team', 'notes'],
      (field) => use('linear_update_issue', { id: 'ENG-7', [field]: `new ${field}` }, 'ok', true),
    ),
  },
  {
    title: 'One command on every host of a rack',
    events: times(12, (i) =>
      use('ssh_exec', { host: `db-${i + 1}`, command: 'df -h /srv' }, disk, true),
    ),
  },
  {
    title: 'An editor of another name: one deprecated call less after each edit',
    events: each(['queue', 'parser', 'order', 'mapper', 'notifier', 'ledger'], (file) => [
      ...use(
        'Shell',
        { command: 'mix compile --warnings-as-errors' },
        `warning: Logger.warn/1 is deprecated\n  lib/shop/${file}.ex:135\nCompilation failed due to warnings`,
        false,
      ),
      ...use(
        'StrReplaceFile',
        { path: `lib/shop/${file}.ex`, edit: { old: 'Logger.warn(', new: 'Logger.warning(' } },
        'File successfully edited. Total replacements: 1',
        true,
      ),
    ]),
  },
]

export const stuck: Stuck[] = [
  {
    title: 'The same two listings of a warehouse, over and over',
    events: times(7, () => [
      ...use('bq_catalog_list_datasets', {}, 'orders, refunds, visits', true),
      ...use(
        'bq_catalog_describe_dataset',
        { name: 'refunds' },
        'refunds: id INT64, order_id INT64\nat TIMESTAMP, amount NUMERIC',
        true,
      ),
    ]),
    alarmBy: 10,
  },
  {
    title: 'Seven diagnostics on one host, in turn, one of them a status command',
    events: times(4, () =>
      each(
        [
          ['systemctl status mqttd', '● mqttd.service - broker\n     Active: failed'],
          ['cat /etc/mqttd.conf', 'listener 1883\npersistence true'],
          ['ls -l /var/lib/mqttd', 'total 0'],
          ['id mqtt', 'uid=991(mqtt) gid=991(mqtt)'],
          ['stat -c %U /var/lib/mqttd', 'root'],
          ['uname -r', '6.1.0-custom'],
          ['journalctl -u mqttd -n 1 -o cat', 'cannot open /var/lib/mqttd/db: permission denied'],
        ] as const,
        ([command, output]) => use('remote-exec', { host: 'edge-3', command }, output),
      ),
    ),
    alarmBy: 24,
    atMost: 'nudge',
  },
  {
    title: 'A tool that does not exist, under ever other names',
    events: each(
      ['grepFiles', 'grep_files', 'GrepFiles', 'files_grep', 'grepfiles', 'greps', 'fileGrep'],
      (name) =>
        use(
          name,
          { pattern: 'TODO' },
          `Error: unknown tool ${name}. Use one of: Bash, Read, Edit.`,
          false,
        ),
    ),
    alarmBy: 7,
  },
  {
    title: 'A request that is refused with every new bearer token',
    events: times(8, (i) => [
      ...use('mint_token', { scope: 'basic' }, { token: `tok-${uuid(i)}` }, true),
      ...use(
        'http_get',
        { url: 'https://api.test/ledger', headers: { Authorization: `Bearer tok-${uuid(i)}` } },
        `403 Forbidden\nrequest-id: ${uuid(`r${i}`)}\n{"error":"missing_scope"}`,
        false,
      ),
    ]),
    alarmBy: 12,
  },
]
