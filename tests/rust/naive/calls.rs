//! Calls that repeat, whatever their results.

use super::Found;

/// Makes a finding of `count` equal calls, the first at index `since`.
pub fn repeat(count: usize, since: usize) -> Found {
    let count = count as u64;
    Found { count, period: 1, since: Some(since as u64), wasted: count - 1 }
}

/// Finds a loop if the last `threshold` or more calls are the same.
pub fn consecutive<T: PartialEq>(seen: &[T], threshold: usize) -> Option<Found> {
    let last = seen.last()?;
    let count = seen.iter().rev().take_while(|call| *call == last).count();
    (count >= threshold).then(|| repeat(count, seen.len() - count))
}

/// Finds a loop if some call occurs `threshold` times among the last `window`.
pub fn windowed(seen: &[u8], threshold: usize, window: usize) -> Option<Found> {
    let start = seen.len().saturating_sub(window);
    let recent = &seen[start..];
    let count = |call: &u8| recent.iter().filter(|other| *other == call).count();
    let call = recent.iter().rev().find(|call| count(call) >= threshold)?;
    let first = recent.iter().position(|other| other == call)?;
    Some(repeat(count(call), start + first))
}

/// Returns the length of the longest end of the stream in which every call equals the one
/// `period` before.
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

/// Finds a cycle if the stream ends with a whole number of passes, `passes` or more.
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

/// Returns whether the stream ends somewhere in a cycle.
pub fn in_cycle(seen: &[u8], passes: usize, max_period: usize) -> bool {
    (1..=max_period).any(|period| periodic_end(seen, period) >= passes * period)
}
