//! The naive detectors. Each looks at the whole stream so far.

/// What a detector reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    pub count: u64,
    pub period: u32,
    pub since: Option<u64>,
    pub wasted: u64,
}

fn repeat(count: usize, since: usize) -> Found {
    let count = count as u64;
    Found { count, period: 1, since: Some(since as u64), wasted: count - 1 }
}

fn failures(indices: &[usize], threshold: usize) -> Option<Found> {
    let count = indices.len();
    (count >= threshold).then(|| Found { period: 0, ..repeat(count, indices[0]) })
}

/// The last `threshold` or more are the same.
pub fn consecutive<T: PartialEq>(seen: &[T], threshold: usize) -> Option<Found> {
    let last = seen.last()?;
    let count = seen.iter().rev().take_while(|call| *call == last).count();
    (count >= threshold).then(|| repeat(count, seen.len() - count))
}

/// Some call stands `threshold` times among the last `window`.
pub fn windowed(seen: &[u8], threshold: usize, window: usize) -> Option<Found> {
    let start = seen.len().saturating_sub(window);
    let recent = &seen[start..];
    let count = |call: &u8| recent.iter().filter(|other| *other == call).count();
    let call = recent.iter().rev().find(|call| count(call) >= threshold)?;
    let first = recent.iter().position(|other| other == call)?;
    Some(repeat(count(call), start + first))
}

/// The longest end of the stream in which every call equals the one `period` before.
fn periodic_end(seen: &[u8], period: usize) -> usize {
    let mut length = period.min(seen.len());
    while length < seen.len() {
        let at = seen.len() - 1 - length;
        if seen[at] != seen[at + period] {
            break;
        }
        length += 1;
    }
    length
}

/// The stream ends with a whole number of passes, `passes` or more.
pub fn cycle(seen: &[u8], passes: usize, max_period: usize) -> Option<Found> {
    (1..=max_period).find_map(|period| {
        let length = periodic_end(seen, period);
        let complete = length >= passes * period && length.is_multiple_of(period);
        complete.then(|| Found {
            count: (length / period) as u64,
            period: period as u32,
            since: Some((seen.len() - length) as u64),
            wasted: (length - period) as u64,
        })
    })
}

/// The stream ends somewhere in a cycle.
pub fn in_cycle(seen: &[u8], passes: usize, max_period: usize) -> bool {
    (1..=max_period).any(|period| periodic_end(seen, period) >= passes * period)
}

/// The last `threshold` or more calls and known outputs are the same.
pub fn same_result(seen: &[(u8, Option<u8>)], threshold: usize) -> Option<Found> {
    let (_, output) = seen.last()?;
    output.and_then(|_| consecutive(seen, threshold))
}

/// Shell commands that failed since the last one that worked; 0 and 1 are shell
/// commands, 2 is a test run in a shell, 3 and 4 are other tools.
pub fn cascade(seen: &[(usize, bool)], threshold: usize) -> Option<Found> {
    let (last, ok) = *seen.last()?;
    if last > 1 || ok {
        return None;
    }
    let worked = seen.iter().rposition(|(tool, ok)| *tool <= 2 && *ok);
    let from = worked.map_or(0, |at| at + 1);
    let failed: Vec<usize> = (from..seen.len()).filter(|at| seen[*at].0 <= 1).collect();
    failures(&failed, threshold)
}

/// Test runs that failed since the last one that passed; 2 and 4 are test runs.
pub fn failing_tests(seen: &[(usize, bool)], threshold: usize) -> Option<Found> {
    let is_test = |tool: usize| tool == 2 || tool == 4;
    let (last, ok) = *seen.last()?;
    if !is_test(last) || ok {
        return None;
    }
    let passed = seen.iter().rposition(|(tool, ok)| is_test(*tool) && *ok);
    let from = passed.map_or(0, |at| at + 1);
    let failed: Vec<usize> = (from..seen.len()).filter(|at| is_test(seen[*at].0)).collect();
    failures(&failed, threshold)
}

/// Turns of text (0 and 1) since the last call.
pub fn text_turns(seen: &[u8], threshold: usize) -> Option<Found> {
    let count = seen.iter().rev().take_while(|event| **event <= 1).count();
    (count >= threshold.max(1)).then_some(Found {
        count: count as u64,
        period: 0,
        since: None,
        wasted: 0,
    })
}
