// Of this process, all its threads, in microseconds; the same in Node, Bun and Deno.
import process from 'node:process'

export function processorTime() {
  const { user, system } = process.cpuUsage()
  return user + system
}
