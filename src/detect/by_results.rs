//! The patterns that look at what came of calls, and what they share.

use super::Pattern;
use super::no_progress::NoProgress;
use super::oscillation::Oscillation;
use super::rounds::Rounds;
use super::same_error::SameError;
use super::signal::{Outcome, Seen, Signal, push};
use super::variant::Variant;
use crate::codec::{Reader, Writer};
use crate::config::Config;
use crate::exchange::{Exchange, Exchanges};
use crate::fingerprint::{Fingerprint, UNHEARD, Worth};
use crate::verdict::LoopKind;
use alloc::vec::Vec;

/// Whether any pattern looks at what came of calls.
pub(crate) fn looks_at_results(config: &Config) -> bool {
    let on = |kind| config.rule(kind).is_some();
    on(LoopKind::NoProgress)
        || on(LoopKind::Variant)
        || on(LoopKind::SameError)
        || on(LoopKind::Oscillation)
        || config.by_results(LoopKind::ExactRepeat)
        || config.by_results(LoopKind::WindowedRepeat)
        || config.by_results(LoopKind::Cycle)
}

/// See the module's text.
pub(super) struct ByResults {
    exchanges: Exchanges,
    window: u32,
    /// The host has reported a result.
    heard: bool,
    rounds: Option<Rounds>,
    no_progress: Option<NoProgress>,
    variant: Option<Variant>,
    same_error: Option<SameError>,
    oscillation: Option<Oscillation>,
}

impl ByResults {
    pub fn new(config: &Config) -> Option<Self> {
        let threshold = |kind| config.rule(kind).map(|rule| rule.threshold);
        let patience = &config.patience;
        let rounds = threshold(LoopKind::Cycle).filter(|_| config.by_results(LoopKind::Cycle));
        looks_at_results(config).then(|| Self {
            exchanges: Exchanges::new(config.window),
            window: config.window,
            heard: false,
            rounds: rounds.map(|passes| Rounds::new(passes, config.max_period, patience)),
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
    pub fn on_call(&mut self, call: &Seen<'_>, signals: &mut Vec<Signal>) {
        if !self.heard {
            return self.on_unheard_call(call, signals);
        }
        if let Some(last) = self.exchanges.last_of(call.print.intent.steady) {
            if let Some(no_progress) = &mut self.no_progress {
                push(signals, no_progress.on_call(call, &last, &self.exchanges));
            }
            if let Some(rounds) = &mut self.rounds {
                push(signals, rounds.on_call(call, &last, &self.exchanges));
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
    fn on_unheard_call(&mut self, call: &Seen<'_>, signals: &mut Vec<Signal>) {
        let exchange = self.exchanges.add(call.index, call.print, &UNHEARD);
        let outcome = Outcome {
            index: call.index,
            print: call.print,
            failed: false,
            threshold: call.threshold,
            reply: UNHEARD,
            output: "",
        };
        let before = signals.len();
        self.on_exchange(&outcome, &exchange, signals);
        signals.iter_mut().skip(before).for_each(|signal| signal.refusable = true);
    }

    /// A call was answered.
    pub fn on_result(&mut self, outcome: &Outcome<'_>, signals: &mut Vec<Signal>) {
        if !self.heard {
            // The first result: from now on, calls alone are no evidence.
            self.heard = true;
            self.exchanges.restart();
        }
        let exchange = self.exchanges.add(outcome.index, outcome.print, &outcome.reply);
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
            signal.busy = outcome.reply.worth == Worth::Infrastructure;
        }
    }

    fn on_exchange(
        &mut self,
        outcome: &Outcome<'_>,
        exchange: &Exchange,
        signals: &mut Vec<Signal>,
    ) {
        if let Some(no_progress) = &mut self.no_progress {
            push(signals, no_progress.on_result(outcome, exchange));
        }
        if let Some(rounds) = &mut self.rounds {
            push(signals, rounds.on_result(outcome, exchange, &self.exchanges));
        }
    }

    /// A call was refused.
    pub fn on_refusal(&mut self, print: &Fingerprint) {
        self.exchanges.refuse(print.intent.steady);
    }

    /// How often something new was learned or done.
    pub fn news(&self) -> u64 {
        self.exchanges.news()
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

impl Pattern for ByResults {
    fn active(&self) -> bool {
        self.active_ones() > 0
    }

    fn restart(&mut self) {
        self.exchanges.restart();
        self.patterns_mut().into_iter().flatten().for_each(Pattern::restart);
    }

    fn save(&self, out: &mut Writer) {
        out.flag(self.heard);
        self.exchanges.save(out);
        self.patterns().into_iter().flatten().for_each(|pattern| pattern.save(out));
    }

    fn load(&mut self, from: &mut Reader) -> Option<()> {
        self.heard = from.flag();
        self.exchanges = Exchanges::load(self.window, from)?;
        for pattern in self.patterns_mut().into_iter().flatten() {
            pattern.load(from)?;
        }
        Some(())
    }
}
