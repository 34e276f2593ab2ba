//! One pattern per file. Each turns events into signals; what is done about a
//! signal is decided elsewhere.
//!
//! Every pattern has a constant cost per event, whatever came before: it keeps
//! counters and looks at a bounded number of remembered calls.
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
use crate::result::Evidence;
use crate::verdict::LoopKind;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

pub(crate) use signal::{CallEvent, Memory, ResultEvent, Signal, TextEvent};

/// A way to recognise a loop. Its state is plain data that snapshots carry;
/// what follows from the options is marked `#[serde(skip)]` and set by `configure`.
trait Pattern: Default {
    const KIND: LoopKind;

    /// Whether it recognises calls that repeat (and not failures, turns or text).
    const REPEATS_CALLS: bool = false;

    /// Whether it counts equal calls of one turn each, as the reference
    /// implementations do. Otherwise it is shown only the first of them.
    const COUNTS_DUPLICATES: bool = true;

    /// Whether the rule is for this pattern, where two share a kind.
    fn applies(_rule: &Rule) -> bool {
        true
    }

    /// Takes its thresholds from the options.
    fn configure(&mut self, rule: &Rule, config: &Config);

    /// A call is about to run. It is the newest in the log of calls.
    fn on_call(&mut self, _call: &CallEvent<'_>, _memory: &Memory<'_>) -> Option<Signal> {
        None
    }

    /// Any tool is called, one that options exempt included.
    fn on_any_call(&mut self) {}

    /// A call was answered. Its outcome is the newest in the log of outcomes.
    fn on_result(&mut self, _result: &ResultEvent<'_>, _memory: &Memory<'_>) -> Option<Signal> {
        None
    }

    /// The model writes text.
    fn on_text(&mut self, _text: &TextEvent<'_>) -> Option<Signal> {
        None
    }

    /// A model turn begins.
    fn on_turn(&mut self) -> Option<Signal> {
        None
    }

    /// The model forgot what it read.
    fn on_compaction(&mut self) {}

    /// Whether the loop goes on right now.
    fn is_active(&self) -> bool;

    /// Forgets what was seen. The logs are cleared at the same time.
    fn reset(&mut self);

    /// Works out what is not saved after a snapshot was loaded; false if the state
    /// cannot be one of ours.
    fn restore(&mut self, _memory: &Memory<'_>, _config: &Config) -> bool {
        true
    }
}

/// Declares the list of patterns, and passes every event on to those that are on,
/// in this order. (Not a list of trait objects: calls through a table would hide
/// from the test that no event can reach a panic.)
macro_rules! patterns {
    ($($name:ident: $type:ty,)*) => {
        /// The patterns that the options switch on.
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
                $(if <$type>::COUNTS_DUPLICATES || !call.is_duplicate {
                    signals.extend(self.$name.as_mut().and_then(|it| it.on_call(call, memory)));
                })*
            }

            /// Any tool is called, one that options exempt included.
            pub fn on_any_call(&mut self) {
                $(if let Some(pattern) = &mut self.$name { pattern.on_any_call(); })*
            }

            fn each_result(
                &mut self,
                result: &ResultEvent<'_>,
                memory: &Memory<'_>,
                signals: &mut Vec<Signal>,
            ) {
                $(signals.extend(self.$name.as_mut().and_then(|it| it.on_result(result, memory)));)*
            }

            /// The model writes text.
            pub fn on_text(&mut self, text: &TextEvent<'_>, signals: &mut Vec<Signal>) {
                $(signals.extend(self.$name.as_mut().and_then(|it| it.on_text(text)));)*
            }

            /// The model forgot what it read.
            pub fn on_compaction(&mut self) {
                $(if let Some(pattern) = &mut self.$name { pattern.on_compaction(); })*
            }

            /// A model turn begins.
            pub fn on_turn(&mut self, signals: &mut Vec<Signal>) {
                $(signals.extend(self.$name.as_mut().and_then(Pattern::on_turn));)*
            }

            /// Whether the agent is in a loop right now.
            pub fn is_stuck(&self) -> bool {
                false $(|| self.$name.as_ref().is_some_and(Pattern::is_active))*
            }

            /// Whether calls are repeating right now.
            pub fn is_repeating(&self) -> bool {
                false $(|| <$type>::REPEATS_CALLS && self.$name.as_ref().is_some_and(Pattern::is_active))*
            }

            /// Starts every count anew.
            pub fn reset(&mut self) {
                $(if let Some(pattern) = &mut self.$name { pattern.reset(); })*
            }

            /// Applies the options to loaded patterns; false if these cannot be ours.
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

// Of equally hard verdicts the last one counts.
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

fn enabled<P: Pattern>(config: &Config) -> Option<P> {
    let rule = config.rule(P::KIND).filter(|rule| P::applies(rule))?;
    let mut pattern = P::default();
    pattern.configure(rule, config);
    Some(pattern)
}

impl Patterns {
    /// A call is about to run.
    pub fn on_call(
        &mut self,
        call: &CallEvent<'_>,
        memory: &Memory<'_>,
        signals: &mut Vec<Signal>,
    ) {
        self.each_call(call, memory, signals);
        // A fuzzy repeat counts only where the exact one did not trigger.
        if signals.iter().any(|signal| signal.kind == LoopKind::ExactRepeat) {
            signals.retain(|signal| signal.kind != LoopKind::FuzzyRepeat);
        }
        self.on_any_call();
    }

    /// A call was answered.
    pub fn on_result(
        &mut self,
        result: &ResultEvent<'_>,
        memory: &Memory<'_>,
        signals: &mut Vec<Signal>,
    ) {
        self.each_result(result, memory, signals);
        if result.outcome.is_some() {
            let unavailable = result.result.evidence == Evidence::Infrastructure;
            signals.iter_mut().for_each(|signal| signal.service_unavailable = unavailable);
        }
    }

    /// How many calls in a row the fuzzy repeat counts, if that is what triggered.
    pub fn fuzzy_repeats(&self) -> Option<u64> {
        let exact = self.exact_repeat.as_ref().is_some_and(Pattern::is_active);
        let fuzzy = self.fuzzy_repeat.as_ref().filter(|fuzzy| !exact && fuzzy.is_active())?;
        Some(fuzzy.count())
    }

    /// Raises the iteration cap; tells by how much.
    pub fn extend(&mut self, by: u32) -> u32 {
        self.iteration_cap.as_mut().map_or(0, |cap| cap.extend(by))
    }
}

/// Whether any pattern that is on looks at the results of calls.
pub(crate) fn is_result_aware(config: &Config) -> bool {
    config.rules.iter().any(|rule| rule.on && rule.results)
}
