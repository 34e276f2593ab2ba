//! Commands and tests that fail, and turns of text.

use super::Found;
use super::calls::repeat;

fn failures(indices: &[usize], threshold: usize) -> Option<Found> {
    let count = indices.len();
    (count >= threshold).then(|| Found { period: 0, ..repeat(count, indices[0]) })
}

/// Counts shell commands that failed since the last one that worked; 0 and 1 are shell
/// commands, 2 is a test run in a shell, 3 and 4 are other tools.
pub fn cascade(seen: &[(usize, bool)], threshold: usize) -> Option<Found> {
    let (last, ok) = *seen.last()?;
    if last > 2 || ok {
        return None;
    }
    let successes = seen.iter().rposition(|(tool, ok)| *tool <= 2 && *ok);
    let from = successes.map_or(0, |at| at + 1);
    let failed: Vec<usize> = (from..seen.len()).filter(|at| seen[*at].0 <= 2).collect();
    failures(&failed, threshold)
}

/// Counts test runs that failed since the last one that passed; 2 and 4 are test runs.
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

/// Counts turns of text (0 and 1) since the last call.
pub fn text_turns(seen: &[u8], threshold: usize) -> Option<Found> {
    let count = seen.iter().rev().take_while(|event| **event <= 1).count();
    (count >= threshold.max(1)).then_some(Found {
        count: count as u64,
        period: 0,
        since: None,
        wasted: 0,
    })
}
