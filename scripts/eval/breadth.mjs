// How far a policy agrees with the corpus' rules on every trajectory, labelled by hand or not. The
// rules see whole runs, so they find more than anything can that has to speak in time; and they are
// wrong in places. Good for comparing, not for scoring.

/**
 * @typedef {{ runs: number, strict: number, agreed: number, beyond: number, silent: number }} Breadth
 *   `strict`: the rules see a loop; `agreed`: and so does the policy; `silent`: but it does not;
 *   `beyond`: the policy sees one where the rules see none, not even loosely.
 */

/**
 * @param {readonly { id: string, alarms: readonly object[] }[]} runs
 * @param {Map<string, { oracle_strict: boolean, oracle_loose: boolean }>} oracle
 * @returns {Breadth}
 */
export function breadthOf(runs, oracle) {
  const tally = { runs: 0, strict: 0, agreed: 0, beyond: 0, silent: 0 }
  for (const { id, alarms } of runs) {
    const rules = oracle.get(id)
    if (!rules) continue
    const isAlarmed = alarms.length > 0
    tally.runs += 1
    if (rules.oracle_strict) tally.strict += 1
    if (rules.oracle_strict && isAlarmed) tally.agreed += 1
    if (rules.oracle_strict && !isAlarmed) tally.silent += 1
    if (!rules.oracle_loose && isAlarmed) tally.beyond += 1
  }
  return tally
}

/** @returns {Record<string, Breadth>} The same by source, in the order of their names. */
export function breadthBySource(runs, oracle) {
  const sources = [...new Set(runs.map(({ source }) => source))].sort()
  return Object.fromEntries(
    sources.map((name) => [
      name,
      breadthOf(
        runs.filter(({ source }) => source === name),
        oracle,
      ),
    ]),
  )
}
