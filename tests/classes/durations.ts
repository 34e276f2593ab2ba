/** Runs of one command whose output differs by its timings. */

import {
  claude,
  codex,
  copilot,
  type Healthy,
  num,
  opencode,
  openhands,
  type Stuck,
  secs,
  shell,
  stamp,
  times,
  use,
  work,
} from './build.js'

export const healthy: Healthy[] = [
  {
    title: 'Reads one address sixty times, to see how long answers take',
    events: times(60, (i) =>
      use(
        'http_get',
        { url: 'https://shop.example/ping' },
        `204 in ${secs(i, 1, 90)} ms\npong`,
        true,
      ),
    ),
    nudges: 4,
  },
  {
    title: 'Runs a Go benchmark ten times, to see how much it scatters',
    events: times(10, (i) =>
      claude(
        'go test -run=NONE -bench=BenchmarkDecode -benchmem ./codec',
        `goos: linux\ngoarch: amd64\npkg: acme.test/codec\nBenchmarkDecode-8   \t  ${num(i, 90000, 110000)}\t     ${num(`ns${i}`, 11200, 12900)} ns/op\t    4096 B/op\t      12 allocs/op\nPASS\nok  \tacme.test/codec\t${secs(i, 1, 2)}s`,
      ),
    ),
  },
  {
    title: 'Load test with k6, repeated while the cache warms up',
    events: times(8, (i) =>
      codex(
        'k6 run --quiet --vus 50 --duration 30s load/checkout.js',
        `http_req_duration..: avg=${num(i, 90, 240)}.${num(`a${i}`, 10, 99)}ms p(95)=${num(`p${i}`, 300, 700)}ms\nhttp_reqs..........: ${num(`r${i}`, 9000, 14000)} ${num(`q${i}`, 300, 470)}/s\nhttp_req_failed....: 0.00%`,
      ),
    ),
  },
  {
    title: 'Hunts a flaky test: runs it until it fails, as the issue asks',
    events: [
      ...claude(
        'cat tests/test_lease.py',
        'def test_lease_expires(clock):\n    lease = take("a", ttl=2)\n    clock.advance(2)\n    assert lease.expired',
      ),
      ...times(9, (i) =>
        claude(
          'pytest -q tests/test_lease.py',
          `.                                                                        [100%]\n1 passed in ${secs(i)}s`,
        ),
      ),
      ...claude(
        'pytest -q tests/test_lease.py',
        `F                                                                        [100%]\nE   assert lease.expired\n1 failed in ${secs(99)}s`,
        1,
      ),
      ...claude(
        'git log --oneline -3 -- src/lease.py',
        'a91be3 Use monotonic clock\n77d012 Add ttl\n1f00a2 First lease',
      ),
    ],
    nudges: 2,
  },
  {
    title: 'Compares two settings of a compiler, five timed builds each',
    events: ['thin', 'fat'].flatMap((lto) =>
      times(5, (i) =>
        opencode(
          `cargo clean -q && CARGO_PROFILE_RELEASE_LTO=${lto} cargo build --release 2>&1 | tail -1`,
          `    Finished \`release\` profile [optimized] target(s) in ${secs(`${lto}${i}`, 30, 70)}s`,
        ),
      ),
    ),
  },
]

export const stuck: Stuck[] = [
  {
    title: 'Builds a Rust crate again and again with the same type error',
    events: times(20, (i) =>
      claude(
        'cargo build',
        `   Compiling ledger v0.4.1 (/home/dev/ledger)\nerror[E0308]: mismatched types\n  --> src/book.rs:41:18\n   |\n41 |     let total: u64 = sum;\n   |                      ^^^ expected \`u64\`, found \`i64\`\n\nerror: could not compile \`ledger\` (lib) due to 1 previous error in ${secs(i)}s`,
        101,
      ),
    ),
    alarmBy: 5,
  },
  {
    title: 'Gradle fails the same; only its timing differs',
    events: times(20, (i) =>
      openhands(
        './gradlew test',
        `> Task :core:compileJava FAILED\n/src/core/src/main/java/Tax.java:17: error: cannot find symbol\n    Rate r = Rates.of(country);\n             ^\nFAILURE: Build failed with an exception.\nBUILD FAILED in ${num(i, 3, 40)}s\n${num(`t${i}`, 3, 5)} actionable tasks: 1 executed`,
        1,
      ),
    ),
    alarmBy: 5,
  },
  {
    title: 'Maven: same failing test, with other times; neither flag nor exit code',
    events: times(20, (i) =>
      shell(
        'mvn -q test -Dtest=LedgerTest',
        `[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: ${secs(i, 0, 2)} s <<< FAILURE! -- in LedgerTest\n[ERROR] LedgerTest.rounding:28 expected:<10.05> but was:<10.04>\n[INFO] BUILD FAILURE\n[INFO] Total time:  ${secs(`m${i}`, 4, 9)} s\n[INFO] Finished at: ${stamp(i)}`,
      ),
    ),
    alarmBy: 6,
  },
  {
    title: 'Turborepo type check fails the same; times and cache words differ',
    events: times(20, (i) =>
      copilot(
        'pnpm turbo run typecheck --filter=web',
        `web:typecheck: cache miss, executing ${num(i, 100000, 999999)}\nweb:typecheck: src/cart.tsx(18,7): error TS2322: Type 'string' is not assignable to type 'number'.\n Tasks:    0 successful, 1 total\n  Time:    ${secs(i)}s\n Failed:    web#typecheck`,
        2,
      ),
    ),
    alarmBy: 5,
  },
  {
    title: 'Docker build fails in one step after good work; the step times differ',
    events: [
      ...work(25),
      ...times(12, (i) =>
        codex(
          'docker compose build api',
          `#9 [api 4/7] RUN npm ci\n#9 ${secs(i)} npm error The \`npm ci\` command can only install with an existing package-lock.json\n#9 ERROR: process "/bin/sh -c npm ci" did not complete successfully: exit code: 1\n[+] Building ${secs(`d${i}`, 5, 40)}s (8/11) FINISHED`,
          17,
        ),
      ),
    ],
    alarmBy: 30,
  },
]
