//! One pattern per file. Each turns events into signals; `escalation` decides what is done
//! about a signal.
//!
//! Every pattern has a constant cost per event, however long the session: it keeps counters
//! and looks at a bounded number of remembered calls.
//!
//! A new pattern is one file here that implements [`Pattern`], one line in the
//! list below, and its row and texts in `config`.

mod chant;
mod consecutive_counter;
mod cycle;
mod equal_run;
mod exact_repeat;
mod failure_cascade;
mod fuzzy_repeat;
mod growing_read;
mod iteration_cap;
mod no_progress;
mod oscillation;
mod outcome_streak;
mod parallel;
mod repeat_thresholds;
mod same_error;
mod signal;
mod stale_cycle;
mod summary;
mod test_fix;
mod variant;
mod windowed_repeat;

use crate::config::{Config, Rule};
use crate::history::Outcome;
use crate::verdict::{LoopKind, count};
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

pub(crate) use signal::{CallEvent, Memory, ResultEvent, Signal, TextEvent};

/// A way to recognise a loop. Its state is plain data that snapshots carry; what comes from
/// the options is marked `#[serde(skip)]` and set by `configure`.
trait Pattern: Default {
    const KIND: LoopKind;

    /// Whether the pattern recognises repeated calls, as opposed to failures, turns or
    /// text.
    const REPEATS_CALLS: bool = false;

    /// Whether the pattern counts every one of several equal calls in a turn, as the
    /// reference implementations do. Otherwise it sees only the first of them.
    const COUNTS_DUPLICATES: bool = true;

    /// Returns whether the rule applies to this pattern; two patterns may share a kind.
    fn applies(_rule: &Rule) -> bool {
        true
    }

    /// Takes its thresholds from the options.
    fn configure(&mut self, rule: &Rule, config: &Config);

    /// Handles a call that is about to run. It is the newest in the log of calls.
    fn on_call(&mut self, _call: &CallEvent<'_>, _memory: &Memory<'_>) -> Option<Signal> {
        None
    }

    /// Handles a call of any tool, including tools that the options exempt.
    fn on_any_call(&mut self) {}

    /// Handles the result of a call. Its outcome is the newest in the log of outcomes.
    fn on_result(&mut self, _result: &ResultEvent<'_>, _memory: &Memory<'_>) -> Option<Signal> {
        None
    }

    /// Handles text that the model writes.
    fn on_text(&mut self, _text: &TextEvent<'_>) -> Option<Signal> {
        None
    }

    /// Handles the beginning of a model turn.
    fn on_turn(&mut self) -> Option<Signal> {
        None
    }

    /// Judges a turn without calls at its end.
    fn on_empty_batch(&self) -> Option<Signal> {
        None
    }

    /// Handles a compaction of the context: the model forgot what it read.
    fn on_compaction(&mut self) {}

    /// Returns whether the loop is going on right now.
    fn is_active(&self) -> bool;

    /// Returns the count at the latest event, and the count that makes a loop.
    fn progress(&self) -> Progress;

    /// Forgets everything seen so far. The logs are cleared at the same time.
    fn reset(&mut self);

    /// Recomputes what a snapshot does not save; false if the loaded state is invalid.
    fn restore(&mut self, _memory: &Memory<'_>, _config: &Config) -> bool {
        true
    }
}

/// The count of a pattern, and the count that makes a loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Progress {
    count: u64,
    threshold: u64,
}

impl Progress {
    fn new(count: impl Into<u64>, threshold: impl Into<u64>) -> Self {
        Self { count: count.into(), threshold: threshold.into() }
    }

    /// Returns whichever of the two is closer to its threshold.
    fn closer(self, other: Self) -> Self {
        if other.is_closer_than(self) { other } else { self }
    }

    fn is_closer_than(self, other: Self) -> bool {
        let share = |one: Self, of: Self| one.count.saturating_mul(of.threshold);
        share(self, other) > share(other, self)
    }
}

/// How close a kind of loop is to its threshold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct PatternCount {
    /// The kind.
    pub kind: LoopKind,
    /// Its count at the latest event.
    #[serde(serialize_with = "count")]
    pub count: u64,
    /// The count that makes a loop.
    #[serde(serialize_with = "count")]
    pub threshold: u64,
    /// Whether the loop is going on right now.
    pub active: bool,
}

impl PatternCount {
    fn progress(&self) -> Progress {
        Progress::new(self.count, self.threshold)
    }
}

/// Declares the list of patterns, and passes every event to those that are enabled, in this
/// order. (A list of trait objects would hide the calls from the test that proves that no
/// event can reach a panic.)
macro_rules! patterns {
    ($($name:ident: $type:ty,)*) => {
        /// The patterns that the options enable.
        #[derive(Serialize, Deserialize)]
        pub(crate) struct Patterns {
            $($name: Option<$type>,)*
        }

        impl Patterns {
            pub fn new(config: &Config) -> Self {
                Self { $($name: enabled(config),)* }
            }

            fn each_call(
                &mut self,
                call: &CallEvent<'_>,
                memory: &Memory<'_>,
                signals: &mut Vec<Signal>,
            ) {
                $(if (<$type>::COUNTS_DUPLICATES || !call.is_duplicate)
                    && let Some(pattern) = &mut self.$name
                    && let Some(signal) = pattern.on_call(call, memory)
                {
                    signals.push(signal);
                })*
            }

            /// Handles a call of any tool, including tools that the options exempt.
            pub fn on_any_call(&mut self) {
                $(if let Some(pattern) = &mut self.$name { pattern.on_any_call(); })*
            }

            fn each_result(
                &mut self,
                result: &ResultEvent<'_>,
                memory: &Memory<'_>,
                signals: &mut Vec<Signal>,
            ) {
                $(if let Some(pattern) = &mut self.$name
                    && let Some(signal) = pattern.on_result(result, memory)
                {
                    signals.push(signal);
                })*
            }

            /// Handles text that the model writes.
            pub fn on_text(&mut self, text: &TextEvent<'_>, signals: &mut Vec<Signal>) {
                $(if let Some(pattern) = &mut self.$name
                    && let Some(signal) = pattern.on_text(text)
                {
                    signals.push(signal);
                })*
            }

            /// Judges a turn without calls at its end.
            pub fn on_empty_batch(&self, signals: &mut Vec<Signal>) {
                $(signals.extend(self.$name.as_ref().and_then(Pattern::on_empty_batch));)*
            }

            /// Handles a compaction of the context: the model forgot what it read.
            pub fn on_compaction(&mut self) {
                $(if let Some(pattern) = &mut self.$name { pattern.on_compaction(); })*
            }

            /// Handles the beginning of a model turn.
            pub fn on_turn(&mut self, signals: &mut Vec<Signal>) {
                $(signals.extend(self.$name.as_mut().and_then(Pattern::on_turn));)*
            }

            /// Returns whether the agent is in a loop right now.
            pub fn is_stuck(&self) -> bool {
                false $(|| self.$name.as_ref().is_some_and(Pattern::is_active))*
            }

            /// Returns whether calls are repeating right now.
            pub fn is_repeating(&self) -> bool {
                false $(|| <$type>::REPEATS_CALLS && self.$name.as_ref().is_some_and(Pattern::is_active))*
            }

            /// How close each kind of loop is to its threshold.
            pub fn counts(&self) -> Vec<PatternCount> {
                let mut counts = Vec::new();
                $(add_count(&mut counts, self.$name.as_ref().map(count_of));)*
                counts
            }

            /// Resets every pattern.
            pub fn reset(&mut self) {
                $(if let Some(pattern) = &mut self.$name { pattern.reset(); })*
            }

            /// Applies the options to patterns loaded from a snapshot; false if their state
            /// is invalid.
            pub fn restore(&mut self, memory: &Memory<'_>, config: &Config) -> bool {
                let fresh = Self::new(config);
                true $(&& match (&mut self.$name, config.rule(<$type>::KIND)) {
                    (Some(pattern), Some(rule)) if fresh.$name.is_some() => {
                        pattern.configure(rule, config);
                        pattern.restore(memory, config)
                    }
                    (loaded, _) => loaded.is_none() && fresh.$name.is_none(),
                })*
            }
        }
    };
}

// Of equally severe verdicts the last one wins.
patterns! {
    failure_cascade: failure_cascade::FailureCascade,
    test_fix: test_fix::TestFix,
    exact_repeat: exact_repeat::ExactRepeat,
    fuzzy_repeat: fuzzy_repeat::FuzzyRepeat,
    windowed_repeat: windowed_repeat::WindowedRepeat,
    cycle: cycle::Cycle,
    no_progress: no_progress::NoProgress,
    stale_cycle: stale_cycle::StaleCycle,
    variant: variant::Variant,
    growing_read: growing_read::GrowingRead,
    same_error: same_error::SameError,
    oscillation: oscillation::Oscillation,
    parallel: parallel::Parallel,
    summary: summary::Summary,
    chant: chant::Chant,
    iteration_cap: iteration_cap::IterationCap,
}

fn count_of<P: Pattern>(pattern: &P) -> PatternCount {
    let Progress { count, threshold } = pattern.progress();
    PatternCount { kind: P::KIND, count, threshold, active: pattern.is_active() }
}

/// Adds the count of a pattern, if it is enabled. Of patterns that share a kind, the one that
/// is closer to its threshold is listed.
#[inline(never)]
fn add_count(counts: &mut Vec<PatternCount>, added: Option<PatternCount>) {
    let Some(added) = added else { return };
    let Some(known) = counts.iter_mut().find(|known| known.kind == added.kind) else {
        counts.push(added);
        return;
    };
    let active = known.active || added.active;
    if added.progress().is_closer_than(known.progress()) {
        *known = added;
    }
    known.active = active;
}

fn enabled<P: Pattern>(config: &Config) -> Option<P> {
    let rule = config.rule(P::KIND).filter(|rule| P::applies(rule))?;
    let mut pattern = P::default();
    pattern.configure(rule, config);
    Some(pattern)
}

impl Patterns {
    /// Handles a call that is about to run.
    pub fn on_call(
        &mut self,
        call: &CallEvent<'_>,
        memory: &Memory<'_>,
        signals: &mut Vec<Signal>,
    ) {
        self.each_call(call, memory, signals);
        // A fuzzy repeat counts only if the exact one did not trigger.
        if signals.iter().any(|signal| signal.kind == LoopKind::ExactRepeat) {
            signals.retain(|signal| signal.kind != LoopKind::FuzzyRepeat);
        }
        if !signals.is_empty() {
            let last = call.previous.or_else(|| memory.outcomes.back(0));
            let facts = last.map(Outcome::facts);
            signals.iter_mut().for_each(|signal| signal.outcome = signal.outcome.or(facts));
        }
        self.on_any_call();
    }

    /// Handles the result of a call.
    pub fn on_result(
        &mut self,
        result: &ResultEvent<'_>,
        memory: &Memory<'_>,
        signals: &mut Vec<Signal>,
    ) {
        self.each_result(result, memory, signals);
        let facts = result.outcome.map(Outcome::facts);
        signals.iter_mut().for_each(|signal| signal.outcome = signal.outcome.or(facts));
    }

    /// Returns how many calls in a row the fuzzy repeat has counted, if it is what
    /// triggered.
    pub fn fuzzy_repeats(&self) -> Option<u64> {
        let exact = self.exact_repeat.as_ref().is_some_and(Pattern::is_active);
        let fuzzy = self.fuzzy_repeat.as_ref().filter(|fuzzy| !exact && fuzzy.is_active())?;
        Some(fuzzy.count())
    }

    /// Raises the iteration cap; returns by how much.
    pub fn extend(&mut self, by: u32) -> u32 {
        self.iteration_cap.as_mut().map_or(0, |cap| cap.extend(by))
    }
}

/// Returns whether any enabled pattern looks at the results of calls.
pub(crate) fn is_result_aware(config: &Config) -> bool {
    config.rules.iter().any(|rule| rule.on && rule.results)
}
