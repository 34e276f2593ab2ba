/**
 * The Lua scripts that run inside Redis, Valkey and Upstash. Each is one atomic step, and uses the
 * server's time.
 *
 * @module
 */

/** A script, and the SHA-1 under which servers remember it. */
export interface RedisScript {
  readonly source: string
  sha?: Promise<string> | undefined
}

/** Returns the SHA-1 of a script, computed once. */
export function shaOf(script: RedisScript): Promise<string> {
  script.sha ??= crypto.subtle
    .digest('SHA-1', new TextEncoder().encode(script.source))
    .then((digest) =>
      Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join(''),
    )
  return script.sha
}

/** The current time in milliseconds, as `now`. */
const NOW = `local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`

/**
 * Applies reports as `applyReport` in apply-report.ts does.
 *
 * KEYS: the generation, then the key of each report.
 * ARGV: worker id, place, worker name, window, threshold, minWorkers, maxWorkers, latch; then for each
 * report: seq, weight, fingerprint, sample.
 * Returns the time, then for each report: total, workers, latched until, fresh.
 *
 * Fields of the hash: s is the state, as numbers: bucket, its weight, the weight of the bucket
 * before, workers, latched until, generation. f is when it was first seen, w<id> the last number of
 * a worker, o<place> that of a worker beyond maxWorkers. A latched one also has l since, y the
 * worker's name, i its id, q the number, t the fingerprint; e is the sample. A small hash is
 * searched from its beginning, so a report only looks at the first field and one other.
 */
export const REPORT: RedisScript = {
  source: `${NOW}local id, name = ARGV[1], ARGV[3]
local window, threshold = tonumber(ARGV[4]), tonumber(ARGV[5])
local minWorkers, maxWorkers, latch = tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8])
local own, place = 'w' .. id, 'o' .. ARGV[2]
local newest, left = math.floor(now / window), window - now % window
local generation = tonumber(redis.call('GET', KEYS[1]) or 0)
local call, match, format, floor = redis.call, string.match, string.format, math.floor
local answer = { now }
for i = 2, #KEYS do
  local key, at = KEYS[i], 4 * i + 1
  local seq = tonumber(ARGV[at])
  local v = call('HMGET', key, 's', own)
  local b, c, p, n, ends, g = 0, 0, 0, 0, 0, generation
  if v[1] then
    b, c, p, n, ends, g = match(v[1], '^(%d+) (%d+) (%d+) (%d+) (%d+) (%d+)')
    b, c, p, n, ends = b + 0, c + 0, p + 0, n + 0, ends + 0
    if g + 0 < generation then
      call('DEL', key)
      b, c, p, n, ends, v = 0, 0, 0, 0, 0, {}
    end
  end
  local isRolled = newest > b or newest < b - 1
  if isRolled then
    p = newest == b + 1 and c or 0
    c = 0
    b = newest
  end
  local covered = newest < b and window or left
  local last = v[2] and tonumber(v[2])
  if not last and n >= maxWorkers then
    local shared = call('HGET', key, place)
    local owner, number = match(shared or '', '^(%S+) (%d+)$')
    if owner == id then last = tonumber(number) end
  end
  local fresh = 0
  if last and last >= seq then
    if ends > 0 then
      local by = call('HMGET', key, 'i', 'q')
      if by[1] == id and tonumber(by[2]) == seq then fresh = 1 end
    end
  else
    c = c + ARGV[at + 1]
    local field, value = own, ARGV[at]
    if not v[2] then
      if n < maxWorkers then
        n = n + 1
      else
        field, value = place, id .. ' ' .. ARGV[at]
      end
    end
    if ends <= now and n >= minWorkers and c + floor(p * covered / window) >= threshold then
      ends = now + latch
      fresh = 1
    end
    local state = format('%d %d %d %d %d %d', b, c, p, n, ends, generation)
    if v[1] then
      call('HSET', key, 's', state, field, value)
    else
      call('HSET', key, 's', state, 'f', now, field, value)
    end
    if fresh == 1 then
      call('HSET', key, 'l', now, 'y', name, 'i', id, 'q', ARGV[at], 't', ARGV[at + 2])
    end
    if ARGV[at + 3] ~= '' then call('HSET', key, 'e', ARGV[at + 3]) end
    if isRolled or fresh == 1 then
      call('PEXPIREAT', key, math.max((b + 3) * window, ends))
    end
  end
  local size = #answer
  answer[size + 1] = c + floor(p * covered / window)
  answer[size + 2] = n
  answer[size + 3] = ends > now and ends or 0
  answer[size + 4] = fresh
end
return answer
`,
}

/** The most latches that the list of a scope holds. */
const MOST_LATCHES = 1024

/** How long the list remembers that a latch was lifted: longer than a report is under way. */
const KEEP_LIFTED_MS = 60_000

/**
 * Puts a latch on the list of its scope, and tells subscribers: whoever reports does, as those who listen
 * may be others. A user that may not publish can still report, as in {@link UNLIST}. A latch that was lifted since it was set is
 * not put back by a worker that learned of it before.
 *
 * KEYS: the list. ARGV: fingerprint id, latched until, the entry as JSON, channel, 1 for the
 * reporter that set the latch, which knows most about it (others do not overwrite what is there), and
 * latched since.
 *
 * Fields of the list: the id of a fingerprint, with the end of its latch and the entry; a dash and an
 * id, or a dash alone for the whole scope, with a time to keep it until, and when it was lifted.
 */
export const ANNOUNCE: RedisScript = {
  source: `${NOW}for _, field in ipairs({ '-', '-' .. ARGV[1] }) do
  local lifted = string.match(redis.call('HGET', KEYS[1], field) or '', ' (%d+)$')
  if lifted and tonumber(lifted) >= tonumber(ARGV[6]) then return 0 end
end
if redis.call('HLEN', KEYS[1]) >= ${MOST_LATCHES} then
  local all = redis.call('HGETALL', KEYS[1])
  for i = 1, #all, 2 do
    if tonumber(string.match(all[i + 1], '^%d+')) <= now then redis.call('HDEL', KEYS[1], all[i]) end
  end
  if redis.call('HLEN', KEYS[1]) >= ${MOST_LATCHES} then return 0 end
end
local listed = redis.call('HGET', KEYS[1], ARGV[1])
if listed and string.match(listed, '^%d+') == ARGV[2] and ARGV[5] == '0' then return 1 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. ' ' .. ARGV[3])
redis.call('PEXPIRE', KEYS[1], math.max(redis.call('PTTL', KEYS[1]), ARGV[2] - now, 1))
redis.pcall('PUBLISH', ARGV[4], ARGV[2] .. ' ' .. now .. ' ' .. ARGV[3])
return 1
`,
}

/**
 * Lists latches, and removes those that have ended.
 *
 * KEYS: the list. ARGV: limit. Returns the time, then one entry for each: until, a space, JSON.
 */
export const LIST: RedisScript = {
  source: `${NOW}local answer = { now }
local all = redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
  if tonumber(string.match(all[i + 1], '^%d+')) <= now then
    redis.call('HDEL', KEYS[1], all[i])
  elseif string.sub(all[i], 1, 1) ~= '-' and #answer <= tonumber(ARGV[1]) then
    answer[#answer + 1] = all[i + 1]
  end
end
return answer
`,
}

/**
 * Describes fingerprints as they are now.
 *
 * KEYS: the key of each fingerprint. ARGV: 1 for details, then the window of each. Returns five values for
 * each: total (-1 if it is not there), workers, when it was first seen, then, each after a sign that no
 * JSON begins with, as some clients read what looks like JSON: who latched it, and, as details, the ids
 * of workers.
 */
export const DESCRIBE: RedisScript = {
  source: `${NOW}local answer = {}
for i = 1, #KEYS do
  local window = tonumber(ARGV[i + 1])
  local about = redis.call('HMGET', KEYS[i], 's', 'y', 'f')
  local total, n, ids = -1, 0, {}
  -- An entry of the list that somebody else wrote may have no window.
  if about[1] and window and window > 0 then
    local b, c, p, workers = string.match(about[1], '^(%d+) (%d+) (%d+) (%d+) ')
    b, c, p, n = b + 0, c + 0, p + 0, workers + 0
    local newest = math.floor(now / window)
    if newest > b or newest < b - 1 then
      p = newest == b + 1 and c or 0
      c = 0
    end
    total = c + math.floor(p * (window - now % window) / window)
  end
  if ARGV[1] == '1' then
    for _, field in ipairs(redis.call('HKEYS', KEYS[i])) do
      if #field > 1 and string.sub(field, 1, 1) == 'w' then ids[#ids + 1] = string.sub(field, 2) end
    end
  end
  local first = #answer
  answer[first + 1] = total
  answer[first + 2] = n
  answer[first + 3] = about[3] or 0
  answer[first + 4] = '=' .. (about[2] or '')
  answer[first + 5] = '=' .. table.concat(ids, ' ')
end
return answer
`,
}

/** Forgets a fingerprint. KEYS: its key. */
export const FORGET: RedisScript = { source: `return redis.call('DEL', KEYS[1])\n` }

/**
 * Forgets what is of an older generation: it counts as absent, and expires by itself. Generations are
 * times, so that one that follows a forgotten one is still the newest.
 *
 * KEYS: the generation. ARGV: how long to keep it, longer than any window.
 */
export const NEXT_GENERATION: RedisScript = {
  source: `${NOW}local generation = math.max(now, (redis.call('GET', KEYS[1]) or 0) + 1)
redis.call('SET', KEYS[1], string.format('%d', generation), 'PX', ARGV[1])
return generation
`,
}

/**
 * Removes one latch or all from the list, and notifies subscribers.
 *
 * KEYS: the list. ARGV: fingerprint id or '', the fingerprint or '', channel.
 */
export const UNLIST: RedisScript = {
  source: `${NOW}if ARGV[1] == '' then redis.call('DEL', KEYS[1]) else redis.call('HDEL', KEYS[1], ARGV[1]) end
redis.call('HSET', KEYS[1], '-' .. ARGV[1], now + ${KEEP_LIFTED_MS} .. ' ' .. now)
redis.call('PEXPIRE', KEYS[1], math.max(redis.call('PTTL', KEYS[1]), ${KEEP_LIFTED_MS}))
redis.pcall('PUBLISH', ARGV[3], '0 0 ' .. ARGV[2])
return 1
`,
}
