//! How high a detection stands, worked out from all detections of its loop.

use loophound::{Action, Rung};

/// So many loops are remembered.
const REMEMBERED: usize = 16;

/// A loop was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detection {
    pub about: String,
    /// How many calls there had been.
    pub calls: u64,
    /// How much was new until then.
    pub news: u64,
    /// For so many calls it stays on its rung.
    pub rest: u64,
}

/// The occurrence that the last detection is, and whether it only rests there.
pub fn height(detections: &[Detection], memory: u64) -> (u64, bool) {
    let Some(this) = detections.last() else { return (0, false) };
    let (mut times, mut resting) = (0u64, false);
    let mut climbed: Option<&Detection> = None;
    let mut last: Option<(usize, &Detection)> = None;
    for (at, one) in detections.iter().enumerate().filter(|(_, one)| one.about == this.about) {
        if let Some((before, last)) = last {
            let mut others: Vec<&str> =
                detections[before + 1..at].iter().map(|other| other.about.as_str()).collect();
            others.sort_unstable();
            others.dedup();
            if one.calls - last.calls > memory || others.len() >= REMEMBERED {
                (times, climbed) = (0, None);
            }
        }
        last = Some((at, one));
        resting = climbed.is_some_and(|climbed| one.calls - climbed.calls < one.rest);
        if resting {
            continue;
        }
        let eased = climbed.map_or(0, |climbed| (one.news - climbed.news) / 3);
        times = (times + 1).saturating_sub(eased).max(1);
        climbed = Some(one);
    }
    (times, resting)
}

/// The highest rung that is reached.
pub fn rung(rungs: &[Rung], height: u64) -> Rung {
    let reached = |rung: &&Rung| u64::from(rung.at) <= height;
    *rungs.iter().rfind(reached).unwrap_or(&rungs[0])
}

/// What is said about it. A result cannot be refused any more, and a loop that
/// rests on its rung is not spoken of again.
pub fn action(rung: Rung, refusable: bool, resting: bool) -> Action {
    let action = match rung.action {
        Action::Block if !refusable => Action::Nudge,
        action => action,
    };
    if resting && action == Action::Nudge { Action::Continue } else { action }
}
