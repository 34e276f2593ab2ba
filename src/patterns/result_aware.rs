//! The patterns that look at what came of calls, and what they share.

use super::Pattern;
use super::no_progress::NoProgress;
use super::oscillation::Oscillation;
use super::same_error::SameError;
use super::signal::{CallEvent, ResultEvent, Signal, push};
use super::stale_cycle::StaleCycle;
use super::variant::Variant;
use crate::call::Fingerprint;
use crate::config::Config;
use crate::history::{Outcome, OutcomeLog};
use crate::result::{Evidence, NO_RESULTS};
use crate::snapshot::codec::{Reader, Writer};
use crate::verdict::LoopKind;
use alloc::vec::Vec;

/// Whether any pattern looks at what came of calls.
pub(crate) fn is_result_aware(config: &Config) -> bool {
    let on = |kind| config.rule(kind).is_some();
    on(LoopKind::NoProgress)
        || on(LoopKind::Variant)
        || on(LoopKind::SameError)
        || on(LoopKind::Oscillation)
        || config.result_aware(LoopKind::ExactRepeat)
        || config.result_aware(LoopKind::WindowedRepeat)
        || config.result_aware(LoopKind::Cycle)
}

/// See the module's text.
pub(super) struct ResultAware {
    outcomes: OutcomeLog,
    window: u32,
    /// The host has reported a result.
    has_results: bool,
    rounds: Option<StaleCycle>,
    no_progress: Option<NoProgress>,
    variant: Option<Variant>,
    same_error: Option<SameError>,
    oscillation: Option<Oscillation>,
}

impl ResultAware {
    pub fn new(config: &Config) -> Option<Self> {
        let threshold = |kind| config.rule(kind).map(|rule| rule.threshold);
        let patience = &config.patience;
        let rounds = threshold(LoopKind::Cycle).filter(|_| config.result_aware(LoopKind::Cycle));
        is_result_aware(config).then(|| Self {
            outcomes: OutcomeLog::new(config.window),
            window: config.window,
            has_results: false,
            rounds: rounds.map(|passes| StaleCycle::new(passes, config.max_period, patience)),
            no_progress: threshold(LoopKind::NoProgress)
                .map(|threshold| NoProgress::new(threshold, patience)),
            variant: threshold(LoopKind::Variant)
                .map(|threshold| Variant::new(threshold, patience)),
            same_error: threshold(LoopKind::SameError).map(SameError::new),
            oscillation: threshold(LoopKind::Oscillation)
                .map(|threshold| Oscillation::new(threshold, config.window)),
        })
    }

    /// A call is about to be made.
    pub fn on_call(&mut self, call: &CallEvent<'_>, signals: &mut Vec<Signal>) {
        if !self.has_results {
            return self.on_call_without_results(call, signals);
        }
        if let Some(last) = self.outcomes.last_of(call.fingerprint.intent.normalized_hash) {
            if let Some(no_progress) = &mut self.no_progress {
                push(signals, no_progress.on_call(call, &last, &self.outcomes));
            }
            if let Some(rounds) = &mut self.rounds {
                push(signals, rounds.on_call(call, &last, &self.outcomes));
            }
        }
        if let Some(variant) = &mut self.variant {
            push(signals, variant.on_call(call));
        }
        if let Some(same_error) = &mut self.same_error {
            push(signals, same_error.on_call(call));
        }
        if let Some(oscillation) = &mut self.oscillation {
            push(signals, oscillation.on_call(call));
        }
    }

    /// Where no result was ever reported, a call is all there is to know of itself.
    fn on_call_without_results(&mut self, call: &CallEvent<'_>, signals: &mut Vec<Signal>) {
        let exchange = self.outcomes.add(call.index, call.fingerprint, &NO_RESULTS);
        let outcome = ResultEvent {
            index: call.index,
            fingerprint: call.fingerprint,
            failed: false,
            threshold: call.threshold,
            reply: NO_RESULTS,
            output: "",
        };
        let before = signals.len();
        self.on_exchange(&outcome, &exchange, signals);
        signals.iter_mut().skip(before).for_each(|signal| signal.refusable = true);
    }

    /// A call was answered.
    pub fn on_result(&mut self, outcome: &ResultEvent<'_>, signals: &mut Vec<Signal>) {
        if !self.has_results {
            // The first result: from now on, calls alone are no evidence.
            self.has_results = true;
            self.outcomes.restart();
        }
        let exchange = self.outcomes.add(outcome.index, outcome.fingerprint, &outcome.reply);
        self.on_exchange(outcome, &exchange, signals);
        if let Some(variant) = &mut self.variant {
            push(signals, variant.on_result(outcome));
        }
        if let Some(same_error) = &mut self.same_error {
            push(signals, same_error.on_result(outcome));
        }
        if let Some(oscillation) = &mut self.oscillation {
            oscillation.on_result(outcome);
        }
        for signal in signals {
            signal.busy = outcome.reply.worth == Evidence::Infrastructure;
        }
    }

    fn on_exchange(
        &mut self,
        outcome: &ResultEvent<'_>,
        exchange: &Outcome,
        signals: &mut Vec<Signal>,
    ) {
        if let Some(no_progress) = &mut self.no_progress {
            push(signals, no_progress.on_result(outcome, exchange));
        }
        if let Some(rounds) = &mut self.rounds {
            push(signals, rounds.on_result(outcome, exchange, &self.outcomes));
        }
    }

    /// A call was refused.
    pub fn on_refusal(&mut self, fingerprint: &Fingerprint) {
        self.outcomes.refuse(fingerprint.intent.normalized_hash);
    }

    /// How often something new was learned or done.
    pub fn news(&self) -> u64 {
        self.outcomes.news()
    }

    /// How often the same came of the newest call.
    pub fn still(&self) -> u64 {
        self.no_progress.as_ref().map_or(0, NoProgress::count)
    }

    /// Whether calls are repeating right now; one error can come of many calls.
    pub fn repeating(&self) -> bool {
        let error = self.same_error.as_ref().map(|pattern| pattern as &dyn Pattern);
        let others = self.active_ones();
        others > usize::from(error.is_some_and(Pattern::active))
    }

    fn active_ones(&self) -> usize {
        self.patterns().into_iter().flatten().filter(|pattern| pattern.active()).count()
    }

    fn patterns(&self) -> [Option<&dyn Pattern>; 5] {
        fn part<T: Pattern>(pattern: &Option<T>) -> Option<&dyn Pattern> {
            pattern.as_ref().map(|pattern| pattern as &dyn Pattern)
        }
        [
            part(&self.rounds),
            part(&self.no_progress),
            part(&self.variant),
            part(&self.same_error),
            part(&self.oscillation),
        ]
    }

    fn patterns_mut(&mut self) -> [Option<&mut dyn Pattern>; 5] {
        fn part<T: Pattern>(pattern: &mut Option<T>) -> Option<&mut dyn Pattern> {
            pattern.as_mut().map(|pattern| pattern as &mut dyn Pattern)
        }
        [
            part(&mut self.rounds),
            part(&mut self.no_progress),
            part(&mut self.variant),
            part(&mut self.same_error),
            part(&mut self.oscillation),
        ]
    }
}

impl Pattern for ResultAware {
    fn active(&self) -> bool {
        self.active_ones() > 0
    }

    fn restart(&mut self) {
        self.outcomes.restart();
        self.patterns_mut().into_iter().flatten().for_each(Pattern::restart);
    }

    fn save(&self, out: &mut Writer) {
        out.flag(self.has_results);
        self.outcomes.save(out);
        self.patterns().into_iter().flatten().for_each(|pattern| pattern.save(out));
    }

    fn load(&mut self, from: &mut Reader) -> Option<()> {
        self.has_results = from.flag();
        self.outcomes = OutcomeLog::load(self.window, from)?;
        for pattern in self.patterns_mut().into_iter().flatten() {
            pattern.load(from)?;
        }
        Some(())
    }
}
