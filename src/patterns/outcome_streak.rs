//! Calls of one kind that keep having the same outcome: shared by the patterns
//! that follow each tool by itself.

use super::{ResultEvent, Signal};
use crate::call::Fingerprint;
use crate::hash;
use crate::similarity::{CallSketch, WordSet, target_bits};
use crate::tools::Effect;
use crate::verdict::LoopKind;
use serde::{Deserialize, Serialize};

/// How many kinds of calls are followed at once.
pub(super) const MAX_STREAKS: usize = 16;

/// How much of an output is searched for the name of a target.
const MAX_SEARCHED: usize = 1024;

/// In a row of rewordings, one call in so many comes back to words of earlier ones.
const RETURNS: u32 = 4;

/// One streak of them.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(super) struct OutcomeStreak {
    /// Identity of the kind; see [`kind_of_call`].
    pub kind: u64,
    /// Identity of the outcome that they share.
    pub outcome: u64,
    /// Identity of the newest call.
    pub call: u64,
    /// The turn of the newest call: those of one turn are one decision.
    turn: u64,
    pub count: u32,
    /// How many of them were about something new.
    new_targets: u32,
    /// How many of these said so in their results.
    named_targets: u32,
    /// All that they were about, as a set of bits.
    pub targets: u64,
    /// The words of the newest call, and of all of them.
    pub sketch: CallSketch,
    pub words: WordSet,
    /// How many had words again that the one before did not have.
    returns: u32,
    /// How many had no word and no target that was not there before.
    stale: u32,
    /// The errors of a streak that has two; 0 where there is none.
    errors: [u64; 2],
    /// The newest program, and how often it changed.
    program: u64,
    programs: u32,
    /// Something was read since it began.
    pub has_reads: bool,
    /// Whether at least two different calls are among them.
    is_varied: bool,
    since: u64,
}

/// Whether a streak is about one target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Breadth {
    /// About the same things again.
    OneTarget,
    /// Each call was about something else.
    Sweep,
    /// The same, and the results say what they are about.
    NamedSweep,
}

/// Identity of the kind of a call: its tool and its effect, since one tool may
/// read, write and execute.
pub(super) fn kind_of_call(fingerprint: &Fingerprint) -> u64 {
    hash::pair(fingerprint.tool, fingerprint.intent.effect as u64)
}

/// What a call is about, as a set of bits. An edit is about its file, and not about
/// the names in the text that it changes.
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
                sketch,
                words,
                returns: 0,
                stale: 0,
                errors: [0; 2],
                program: fingerprint.program,
                programs: 0,
                has_reads: false,
                is_varied: false,
                since: result.index,
            };
        };
        let is_new_turn = u32::from(before.turn != result.turn);
        let new = targets & !before.targets;
        let returns = before.words.has_again(&before.sketch, &sketch);
        // One word for another is another thing, if that word was not there before. (An
        // edit is about its file.)
        let substitutes = fingerprint.intent.effect != Effect::Write
            && !returns
            && before.sketch.is_substitution(&sketch);
        let is_new = u32::from(new != 0 || substitutes) & is_new_turn;
        let is_stale = new == 0 && before.words.share_of(&sketch) == 100;
        let is_named = u32::from(names_any(result.output, new)) & is_new;
        Self {
            outcome,
            call,
            turn: result.turn,
            count: before.count.saturating_add(is_new_turn),
            new_targets: before.new_targets.saturating_add(is_new),
            named_targets: before.named_targets.saturating_add(is_named),
            targets: before.targets | targets,
            sketch,
            words,
            returns: before.returns.saturating_add(u32::from(returns)),
            stale: before.stale.saturating_add(u32::from(is_stale) & is_new_turn),
            program: fingerprint.program,
            programs: before
                .programs
                .saturating_add(u32::from(before.program != fingerprint.program)),
            is_varied: before.is_varied || before.call != call,
            ..*before
        }
    }

    /// Whether the error is one of two that the streak has, or could be.
    pub fn takes_error(&self, error: u64) -> bool {
        self.errors.contains(&0) || self.errors.contains(&error)
    }

    /// Notes an error; the first two are remembered.
    pub fn add_error(&mut self, error: u64) {
        if self.errors.contains(&error) {
            return;
        }
        if let Some(free) = self.errors.iter_mut().find(|known| **known == 0) {
            *free = error;
        }
    }

    /// Whether the calls were about one target, or each about another one: then one
    /// program is tried on all. A set of bits takes in everything after a while: half of
    /// the calls are enough.
    pub fn breadth(&self) -> Breadth {
        let most = self.count.saturating_sub(1) / 2;
        let is_one_program = self.programs < 2;
        let is_new = self.new_targets > 0 && self.new_targets >= most;
        if !is_new || !is_one_program {
            Breadth::OneTarget
        } else if self.named_targets * 2 > self.new_targets {
            Breadth::NamedSweep
        } else {
            Breadth::Sweep
        }
    }

    /// Whether most of the calls only vary what was there before. Otherwise something else
    /// is tried each time, and be it a flag.
    pub fn brings_nothing_new(&self) -> bool {
        self.stale.saturating_mul(2) >= self.count
    }

    /// Whether the calls come back to words of earlier ones, as rewordings do. Words of
    /// calls about different things do not come back.
    pub fn is_reworded(&self) -> bool {
        self.returns.saturating_mul(RETURNS) >= self.count
    }

    /// Whether it is long enough, and not of one call alone.
    pub fn is_loop(&self, threshold: u32) -> bool {
        self.is_varied && self.count >= threshold
    }

    /// Makes the signal for a call that was answered.
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

/// Whether the output names one of these targets.
fn names_any(output: &str, targets: u64) -> bool {
    let start = output.get(..output.floor_char_boundary(MAX_SEARCHED)).unwrap_or(output);
    targets != 0 && target_bits(start) & targets != 0
}
