//! Calls of one kind that keep having the same outcome; shared by the patterns that track
//! each tool separately.

use super::{ResultEvent, Signal};
use crate::call::Fingerprint;
use crate::hash;
use crate::history::Outcome;
use crate::similarity::{Accounts, CallSketch, WordSet, target_bits};
use crate::tools::Effect;
use crate::verdict::LoopKind;
use serde::{Deserialize, Serialize};

/// How many kinds of calls are tracked at once.
pub(super) const MAX_STREAKS: usize = 16;

/// How much of an output is searched for the name of a target.
const MAX_SEARCHED: usize = 1024;

/// In a streak of rewordings, at least one call in this many returns to earlier words.
const RETURNS: u32 = 4;

/// Calls are attempts if there is at least one pause for this many of them.
const CALLS_A_PAUSE: u64 = 6;

/// The longest call, in words, in which one changed word means another target. In a longer
/// one, such as a script, it is a variation of the same call.
const MAX_SUBSTITUTED: u32 = 16;

/// One streak of them.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(super) struct OutcomeStreak {
    /// Identity of the kind; see [`kind_of_call`].
    pub kind: u64,
    /// Identity of the outcome that the calls share.
    pub outcome: u64,
    /// Identity of the newest call.
    pub call: u64,
    /// The turn of the newest call: calls of one turn are one decision and count once.
    turn: u64,
    pub count: u32,
    /// How many of the calls had a new target.
    new_targets: u32,
    /// Of those, how many had results that name the target.
    named_targets: u32,
    /// The targets of all calls, as a bit set.
    pub targets: u64,
    /// The words of the newest call: how many there are, the sum of their hashes, and a
    /// sketch of them. Then the words of all calls.
    length: u32,
    word_sum: u32,
    pub sketch: CallSketch,
    pub words: WordSet,
    /// How many calls returned to earlier words that the previous call lacked.
    returns: u32,
    /// How many calls had no new word and no new target.
    stale: u32,
    /// The first two errors of the streak; 0 means none.
    errors: [u64; 2],
    /// The newest program, and how many times the program changed.
    program: u64,
    program_changes: u32,
    /// How many calls had let time pass when the streak began, and how many did since.
    waits_before: u64,
    waits: u64,
    /// Whether something was read since the streak began.
    pub has_reads: bool,
    /// Whether it has at least two different calls.
    is_varied: bool,
    since: u64,
}

/// Whether the calls of a streak have one target or many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Breadth {
    /// The calls have the same targets.
    OneTarget,
    /// Each call has a different target.
    Sweep,
    /// Each call has a different target, and the results name it.
    NamedSweep,
}

/// Returns the identity of the kind of a call: its tool and its effect, because one tool
/// may read, write and execute.
pub(super) fn kind_of_call(fingerprint: &Fingerprint) -> u64 {
    hash::pair(fingerprint.tool, fingerprint.intent.effect as u64)
}

/// Returns the targets of a call, as a bit set. The target of an edit is its file, not the
/// names in the text that it changes.
pub(super) fn targets_of(fingerprint: &Fingerprint) -> u64 {
    let intent = &fingerprint.intent;
    match intent.edit.path {
        path if path != 0 && intent.effect == Effect::Write => 1 << (path % 64),
        _ => intent.targets,
    }
}

impl OutcomeStreak {
    /// Starts a streak with this call, or continues the one before.
    pub fn new(result: &ResultEvent<'_>, outcome: u64, before: Option<&OutcomeStreak>) -> Self {
        let fingerprint = result.fingerprint;
        let call = fingerprint.intent.normalized_hash;
        let targets = targets_of(fingerprint);
        let sketch = fingerprint.intent.sketch;
        let mut words = before.map_or(WordSet::default(), |before| before.words);
        words.add(&sketch);
        let waits = result.outcome.map_or(0, Outcome::waits);
        let Some(before) = before else {
            return Self {
                kind: kind_of_call(fingerprint),
                outcome,
                call,
                turn: result.turn,
                count: 1,
                new_targets: 0,
                named_targets: 0,
                targets,
                length: fingerprint.intent.words,
                word_sum: fingerprint.intent.word_sum,
                sketch,
                words,
                returns: 0,
                stale: 0,
                errors: [0; 2],
                program: fingerprint.program,
                program_changes: 0,
                waits_before: waits,
                waits: 0,
                has_reads: false,
                is_varied: false,
                since: result.index,
            };
        };
        let is_new_turn = u32::from(before.turn != result.turn);
        let new = targets & !before.targets;
        let returns = new == 0 && before.words.has_again(&before.sketch, &sketch);
        // One word for another is another thing, if that word was not there before. (An
        // edit is about its file.)
        let length = fingerprint.intent.words;
        let equally_long = before.length == length
            && before.word_sum != fingerprint.intent.word_sum
            && length <= MAX_SUBSTITUTED;
        let substitutes = fingerprint.intent.effect != Effect::Write
            && !returns
            && before.sketch.is_substitution(&sketch, equally_long);
        let is_new = u32::from(new != 0 || substitutes) & is_new_turn;
        let is_stale = new == 0 && before.words.share_of(&sketch) == 100;
        let is_named = u32::from(names_any(result.output, new, fingerprint.is_shell)) & is_new;
        Self {
            outcome,
            call,
            turn: result.turn,
            count: before.count.saturating_add(is_new_turn),
            new_targets: before.new_targets.saturating_add(is_new),
            named_targets: before.named_targets.saturating_add(is_named),
            targets: before.targets | targets,
            length,
            word_sum: fingerprint.intent.word_sum,
            sketch,
            words,
            returns: before.returns.saturating_add(u32::from(returns)),
            stale: before.stale.saturating_add(u32::from(is_stale) & is_new_turn),
            program: fingerprint.program,
            program_changes: before
                .program_changes
                .saturating_add(u32::from(before.program != fingerprint.program)),
            waits: waits.saturating_sub(before.waits_before),
            is_varied: before.is_varied || before.call != call,
            ..*before
        }
    }

    /// Returns whether the error is one of the streak's two, or there is room for it.
    pub fn takes_error(&self, error: u64) -> bool {
        self.errors.contains(&0) || self.errors.contains(&error)
    }

    /// Records an error; only the first two are kept.
    pub fn add_error(&mut self, error: u64) {
        if self.errors.contains(&error) {
            return;
        }
        if let Some(free) = self.errors.iter_mut().find(|known| **known == 0) {
            *free = error;
        }
    }

    /// Returns whether the calls have one target or many. In a sweep, one program is run on
    /// different targets. Half of the calls are enough for that, since a bit set fills up
    /// after a while.
    pub fn breadth(&self) -> Breadth {
        let most = self.count.saturating_sub(1) / 2;
        let is_one_program = self.program_changes < 2;
        let is_new = self.new_targets > 0 && self.new_targets >= most;
        if !is_new || !is_one_program {
            Breadth::OneTarget
        } else if self.named_targets * 2 > self.new_targets {
            Breadth::NamedSweep
        } else {
            Breadth::Sweep
        }
    }

    /// Returns whether most calls only vary earlier ones. Otherwise each call tries
    /// something new, even if it is only a flag.
    pub fn has_nothing_new(&self) -> bool {
        self.stale.saturating_mul(2) >= self.count
    }

    /// Returns whether the calls return to earlier words, as rewordings do. Calls with
    /// different targets do not.
    pub fn is_reworded(&self) -> bool {
        self.returns.saturating_mul(RETURNS) >= self.count
    }

    /// Returns whether the calls are attempts with pauses in between.
    pub fn is_retry(&self) -> bool {
        self.waits.saturating_mul(CALLS_A_PAUSE) >= u64::from(self.count)
    }

    /// Returns whether the streak is long enough and has different calls.
    pub fn is_loop(&self, threshold: u32) -> bool {
        self.is_varied && self.count >= threshold
    }

    /// Returns how many calls bring the streak closer to a loop: repeats of a single call
    /// are one.
    pub fn progress(&self) -> u32 {
        if self.is_varied { self.count } else { self.count.min(1) }
    }

    /// Makes the signal for a call that has a result.
    pub fn signal(&self, kind: LoopKind, index: u64) -> Signal {
        self.signal_with(kind, self.count.into(), index)
    }

    /// Makes the signal for a call that is about to continue the streak.
    pub fn signal_before(&self, kind: LoopKind, index: u64) -> Signal {
        let mut signal = self.signal_with(kind, u64::from(self.count) + 1, index);
        signal.before_call = true;
        signal.is_repeat = false;
        signal
    }

    fn signal_with(&self, kind: LoopKind, count: u64, index: u64) -> Signal {
        let mut signal = Signal::new(kind, hash::pair(self.kind, self.outcome));
        signal.count = count;
        signal.since = Some(self.since);
        signal.wasted = count.saturating_sub(1);
        signal.calls.push(index);
        signal
    }
}

/// Returns whether the output names one of these targets.
fn names_any(output: &str, targets: u64, is_shell: bool) -> bool {
    let start = output.get(..output.floor_char_boundary(MAX_SEARCHED)).unwrap_or(output);
    targets != 0 && target_bits(start, Accounts::of(is_shell)) & targets != 0
}
