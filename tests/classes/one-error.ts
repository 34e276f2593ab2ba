/** One error that several kinds of commands run into; against a setup that fails in many ways. */

import { claude, codex, each, type Healthy, type Stuck, shell } from './build.js'

const MISSING = [
  'python -c "import yaml"',
  'python manage.py check',
  'pytest -q',
  'flask --app shop run',
  'python -m shop.cli --help',
  'python scripts/load.py',
  'uvicorn shop.api:app',
  'python -m pytest tests/unit',
  'celery -A shop.tasks inspect ping',
  'python manage.py migrate',
  'mypy --version && python -m shop',
  'gunicorn shop.wsgi',
  'python -m shop.worker',
  'python setup.py test',
]

export const healthy: Healthy[] = [
  {
    title: 'Sets up an old project: each step fails for another reason',
    events: [
      ...claude(
        'bundle install',
        'Your Ruby version is 3.3.0, but your Gemfile specified 2.7.8',
        18,
      ),
      ...claude(
        'rbenv install 2.7.8',
        'BUILD FAILED (Ubuntu 24.04 using ruby-build): openssl 1.1 is required',
        1,
      ),
      ...claude('apt-get install -y libssl1.1', 'E: Unable to locate package libssl1.1', 100),
      ...claude('rbenv install 3.3.0', 'Installed ruby-3.3.0'),
      ...claude(
        'bundle install',
        'Gem::Ext::BuildError: ERROR: Failed to build gem native extension (mysql2)',
        5,
      ),
      ...claude(
        'apt-get install -y default-libmysqlclient-dev',
        'Setting up default-libmysqlclient-dev',
      ),
      ...claude(
        'bundle install',
        'Bundle complete! 41 Gemfile dependencies, 122 gems now installed.',
      ),
      ...claude(
        'bin/rails s',
        'ActiveRecord::NoDatabaseError: We could not find your database: shop_dev',
        1,
      ),
      ...claude('bin/rails db:create db:migrate', "Created database 'shop_dev'"),
    ],
  },
  {
    title: 'A linker error, a header error, a flag error: three fixes for one build',
    events: [
      ...codex(
        'make',
        'main.c:3:10: fatal error: zlib.h: No such file or directory\nmake: *** [main.o] Error 1',
        2,
      ),
      ...codex('apt-get install -y zlib1g-dev', 'Setting up zlib1g-dev'),
      ...codex(
        'make',
        "/usr/bin/ld: main.o: undefined reference to symbol 'deflate'\nmake: *** [app] Error 1",
        2,
      ),
      ...codex(
        'make LDLIBS=-lz',
        "cc: error: unrecognized command-line option '-fbogus'\nmake: *** [app] Error 1",
        2,
      ),
      ...codex('make LDLIBS=-lz CFLAGS=', 'cc -o app main.o -lz'),
    ],
  },
  {
    title: 'Two kinds of commands meet a missing module before it is installed',
    events: [
      ...shell('python app.py', "ModuleNotFoundError: No module named 'redis'"),
      ...shell('pytest -q', "E   ModuleNotFoundError: No module named 'redis'\n1 error in 0.21s"),
      ...shell('pip install redis', 'Successfully installed redis-5.2.1'),
      ...shell('pytest -q', '14 passed in 0.80s'),
    ],
  },
  {
    title: 'Three commands are refused before the agent logs in',
    events: [
      ...codex(
        'gcloud projects list',
        'ERROR: (gcloud.projects.list) You do not currently have an active account selected.',
        1,
      ),
      ...codex('gcloud config list', 'Your active configuration is: [default]'),
      ...codex(
        'gsutil ls',
        'ServiceException: 401 Anonymous caller does not have storage.buckets.list access',
        1,
      ),
      ...codex(
        'gcloud auth activate-service-account --key-file key.json',
        'Activated service account credentials',
      ),
      ...codex('gsutil ls', 'gs://acme-raw/\ngs://acme-mart/'),
    ],
  },
]

export const stuck: Stuck[] = [
  {
    title: 'A missing module, met by every command there is',
    events: each(MISSING, (command) =>
      claude(
        command,
        'Traceback (most recent call last):\n  File "shop/config.py", line 2, in <module>\n    import yaml\nModuleNotFoundError: No module named \'yaml\'',
        1,
      ),
    ),
    alarmBy: 10,
    atMost: 'block',
  },
  {
    title: 'No network: every client says so in its way',
    events: each(
      [
        'curl -sSO https://get.tool.test/i.sh',
        'wget https://get.tool.test/i.sh',
        'git clone https://get.tool.test/tool',
        'curl -sS https://get.tool.test',
        'wget -q https://get.tool.test/v2',
        'git ls-remote https://get.tool.test/tool',
        'curl -I https://get.tool.test',
        'git fetch',
        'curl -L https://get.tool.test/latest',
        'wget --tries=1 https://get.tool.test',
        'git pull',
        'curl -k https://get.tool.test',
        'git clone --depth 1 https://get.tool.test/tool t',
        'curl -4 https://get.tool.test',
        'wget -4 https://get.tool.test',
        'curl -6 https://get.tool.test',
      ],
      (command) =>
        shell(command, `${command.split(' ')[0]}: Could not resolve host: get.tool.test`),
    ),
    alarmBy: 14,
    atMost: 'block',
  },
  {
    title: 'One folder may not be written, whichever command tries',
    events: each(
      [
        'touch /var/lib/shop/a',
        'mkdir /var/lib/shop/tmp',
        'cp seed.db /var/lib/shop/',
        'tee /var/lib/shop/log < /dev/null',
        'install -d /var/lib/shop/x',
        'mv seed.db /var/lib/shop/seed.db',
        'ln -s /tmp/a /var/lib/shop/a',
        'rsync seed.db /var/lib/shop/',
        'dd if=/dev/zero of=/var/lib/shop/z count=1',
        'tar -C /var/lib/shop -xf seed.tar',
        'unzip seed.zip -d /var/lib/shop',
        'sqlite3 /var/lib/shop/s.db vacuum',
        'echo 1 > /var/lib/shop/one',
        'chmod u+w /var/lib/shop',
      ],
      (command) => codex(command, `${command.split(' ')[0]}: /var/lib/shop: Permission denied`, 1),
    ),
    alarmBy: 10,
    atMost: 'block',
  },
  {
    title: 'The database is down, and client after client is tried on it',
    events: each(
      [
        'psql -c "select 1"',
        'pg_isready',
        'npx prisma db pull',
        'npx prisma migrate status',
        'python manage.py dbshell',
        'pg_dump shop',
        'psql -l',
        'npx prisma studio',
        'python manage.py showmigrations',
        'psql shop',
        'npx prisma db push',
        'python manage.py inspectdb',
        'pg_dumpall',
        'psql -d shop -c "\\dt"',
        'npx prisma validate && npx prisma db seed',
        'vacuumdb shop',
      ],
      (command) =>
        shell(
          command,
          'connection to server at "localhost" (127.0.0.1), port 5432 failed: Connection refused',
        ),
    ),
    alarmBy: 16,
    atMost: 'nudge',
  },
]
