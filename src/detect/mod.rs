//! One pattern per file. Each turns events into signals; what is done about a
//! signal is decided elsewhere.
//!
//! Every detector keeps its cost per event constant, whatever the history: it
//! holds counters and looks at a bounded number of remembered calls.

mod chant;
mod cycle;
mod exact;
mod failure_cascade;
mod fuzzy;
mod iteration_cap;
mod no_progress;
mod oscillation;
mod repeats;
mod rounds;
mod same_error;
mod streak;
mod summary;
mod tally;
mod test_fix;
mod variant;
mod windowed;

use crate::codec::{Reader, Writer};
use crate::config::Config;
use crate::event::Channel;
use crate::exchange::{Exchange, Exchanges};
use crate::fingerprint::{Fingerprint, Reply, UNHEARD, Worth};
use crate::hash;
use crate::history::History;
use crate::verdict::{LoopKind, TextDetails};
use alloc::vec::Vec;
use chant::Chant;
use cycle::Cycle;
use failure_cascade::FailureCascade;
use iteration_cap::IterationCap;
use no_progress::NoProgress;
use oscillation::Oscillation;
use rounds::Rounds;
use same_error::SameError;
use streak::Streak;
use summary::Summary;
use tally::Tally;
use variant::Variant;
use windowed::WindowedRepeat;

/// A pattern was recognised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Signal {
    pub kind: LoopKind,
    /// The same loop has the same id, whenever it is found.
    pub loop_id: u64,
    /// How often the repeated thing was seen.
    pub count: u64,
    pub period: u32,
    pub since: Option<u64>,
    pub wasted: u64,
    /// Numbers of the calls that show it, oldest first.
    pub evidence: Vec<u64>,
    /// The failing commands belong to file tools.
    pub files: bool,
    /// Something was changed between the repeats.
    pub changed: bool,
    /// A service is busy or away.
    pub busy: bool,
    /// It is about a call that has not run yet.
    pub refusable: bool,
    /// It is no detection by itself: the call is refused if that was announced.
    pub announced_only: bool,
    /// Where text goes in circles.
    pub text: Option<TextDetails>,
    /// How many rungs higher than another signal of this kind it stands.
    pub lift: u64,
}

impl Signal {
    /// A signal about the loop that `key` identifies; the rest is filled in by
    /// the pattern.
    fn new(kind: LoopKind, key: u64) -> Self {
        Self {
            kind,
            loop_id: hash::pair(kind as u64, key),
            count: 0,
            period: 0,
            since: None,
            wasted: 0,
            evidence: Vec::new(),
            files: false,
            changed: false,
            busy: false,
            refusable: false,
            announced_only: false,
            text: None,
            lift: 0,
        }
    }
}

/// A call, as patterns see it.
pub(crate) struct Seen<'a> {
    pub index: u64,
    pub print: &'a Fingerprint,
    /// The tool's own thresholds, if options give it any.
    pub threshold: Option<u32>,
    pub fuzzy_threshold: Option<u32>,
}

/// A result, as patterns see it.
pub(crate) struct Outcome<'a> {
    pub index: u64,
    pub print: &'a Fingerprint,
    /// Whether it failed, as the failure patterns of the first seed see it.
    pub failed: bool,
    /// The tool's own threshold, if options give it one.
    pub threshold: Option<u32>,
    pub reply: Reply,
    /// What the tool returned; empty when it is not known.
    pub output: &'a str,
}

/// What every pattern can do, whatever it watches.
trait Pattern {
    /// Whether the loop goes on right now.
    fn active(&self) -> bool;
    /// Forgets what was seen. The history is cleared at the same time.
    fn restart(&mut self);
    /// Writes the state.
    fn save(&self, out: &mut Writer);
    /// Reads what `save` wrote.
    fn load(&mut self, from: &mut Reader) -> Option<()>;
}

/// The detectors that the options switch on.
pub(crate) struct Detectors {
    exact: Option<Streak>,
    fuzzy: Option<Streak>,
    windowed: Option<WindowedRepeat>,
    cycle: Option<Cycle>,
    rounds: Option<Rounds>,
    no_progress: Option<NoProgress>,
    variant: Option<Variant>,
    same_error: Option<SameError>,
    oscillation: Option<Oscillation>,
    failure_cascade: Option<FailureCascade>,
    test_fix: Option<Tally>,
    summary: Option<Summary>,
    chant: Option<Chant>,
    pub cap: IterationCap,
    /// What the patterns that look at results share; nothing, where none does.
    exchanges: Option<Exchanges>,
    /// The host has reported a result.
    heard: bool,
    /// Which repeats are told by their results.
    exact_by_results: bool,
    windowed_by_results: bool,
    /// The answered calls by call and result, where the windowed repeat asks.
    answers: Option<History>,
}

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

impl Detectors {
    pub fn new(config: &Config) -> Self {
        let threshold = |kind| config.rule(kind).map(|rule| rule.threshold);
        let streak = |kind| threshold(kind).map(|threshold| Streak::new(kind, threshold));
        let cycle = |results| {
            let rule = config.rule(LoopKind::Cycle)?;
            (rule.results == results).then_some(rule.threshold)
        };
        let tally = |kind| threshold(kind).map(|threshold| Tally::new(kind, threshold));
        Self {
            exact: streak(LoopKind::ExactRepeat),
            fuzzy: streak(LoopKind::FuzzyRepeat),
            windowed: threshold(LoopKind::WindowedRepeat)
                .map(|threshold| WindowedRepeat::new(threshold, config.window)),
            cycle: cycle(false).map(|passes| Cycle::new(passes, config.max_period)),
            rounds: cycle(true)
                .map(|passes| Rounds::new(passes, config.max_period, &config.patience)),
            no_progress: threshold(LoopKind::NoProgress)
                .map(|threshold| NoProgress::new(threshold, &config.patience)),
            variant: threshold(LoopKind::Variant)
                .map(|threshold| Variant::new(threshold, &config.patience)),
            same_error: threshold(LoopKind::SameError).map(SameError::new),
            oscillation: threshold(LoopKind::Oscillation)
                .map(|threshold| Oscillation::new(threshold, config.window)),
            failure_cascade: threshold(LoopKind::FailureCascade).map(FailureCascade::new),
            test_fix: tally(LoopKind::TestFix),
            summary: threshold(LoopKind::Summary)
                .map(|threshold| Summary::new(threshold, config.text_turns)),
            chant: threshold(LoopKind::Chant).map(Chant::new),
            cap: IterationCap::new(config.iteration_cap),
            exchanges: looks_at_results(config).then(|| Exchanges::new(config.window)),
            heard: false,
            exact_by_results: config.by_results(LoopKind::ExactRepeat),
            windowed_by_results: config.by_results(LoopKind::WindowedRepeat),
            answers: config
                .by_results(LoopKind::WindowedRepeat)
                .then(|| History::new(config.window as usize + 1)),
        }
    }

    /// A call was recorded and is the newest in the history.
    pub fn on_call(&mut self, call: &Seen<'_>, history: &History, signals: &mut Vec<Signal>) {
        let mut found = false;
        if let Some(streak) = self.exact.as_mut().filter(|_| !self.exact_by_results) {
            found = push(signals, exact::on_call(streak, call));
        }
        if let Some(streak) = &mut self.fuzzy {
            let fuzzy = fuzzy::on_call(streak, call);
            // Fuzzy only counts where exact did not already trigger.
            push(signals, if found { None } else { fuzzy });
        }
        if let Some(windowed) = self.windowed.as_mut().filter(|_| !self.windowed_by_results) {
            push(signals, windowed.on_call(call, history));
        }
        if let Some(cycle) = &mut self.cycle {
            push(signals, cycle.on_call(history));
        }
        self.on_any_call();
    }

    /// The same for the patterns that look at results. `echo`: the same call
    /// stands earlier in its turn, and was looked at there.
    pub fn on_call_again(&mut self, call: &Seen<'_>, signals: &mut Vec<Signal>) {
        let Some(exchanges) = &mut self.exchanges else { return };
        if !self.heard {
            // Only the calls are known: each is all there is to know of itself.
            let exchange = exchanges.add(call.index, call.print, &UNHEARD);
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
            return;
        }
        if let Some(no_progress) = &mut self.no_progress {
            push(signals, no_progress.on_call(call, exchanges));
        }
        if let Some(rounds) = &mut self.rounds {
            push(signals, rounds.on_call(call, exchanges));
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

    /// Any call at all, also of an exempt tool.
    pub fn on_any_call(&mut self) {
        self.end_streams();
        if let Some(turns) = &mut self.summary {
            turns.restart();
        }
    }

    pub fn on_result(&mut self, outcome: &Outcome<'_>, signals: &mut Vec<Signal>) {
        if let Some(cascade) = &mut self.failure_cascade {
            push(signals, cascade.on_result(outcome));
        }
        if let Some(failures) = &mut self.test_fix {
            push(signals, test_fix::on_result(failures, outcome));
        }
    }

    /// The same for the patterns that look at results.
    pub fn on_reply(&mut self, outcome: &Outcome<'_>, signals: &mut Vec<Signal>) {
        let Some(exchanges) = &mut self.exchanges else { return };
        if !self.heard {
            // The first result: from now on, calls alone are no evidence.
            self.heard = true;
            exchanges.restart();
        }
        let exchange = exchanges.add(outcome.index, outcome.print, &outcome.reply);
        self.on_answer(outcome, signals);
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

    /// For the repeats that are told by their results. One that is not known
    /// is like no other.
    fn on_answer(&mut self, outcome: &Outcome<'_>, signals: &mut Vec<Signal>) {
        let unknown = outcome.reply.worth == Worth::Unknown;
        let what = if unknown { hash::pair(outcome.index, 0) } else { outcome.reply.hash };
        let print = Fingerprint { exact: hash::pair(outcome.print.exact, what), ..*outcome.print };
        let call = Seen {
            index: outcome.index,
            print: &print,
            threshold: outcome.threshold,
            fuzzy_threshold: None,
        };
        if let Some(streak) = self.exact.as_mut().filter(|_| self.exact_by_results) {
            push(signals, exact::on_call(streak, &call));
        }
        if let (Some(windowed), Some(answers)) = (&mut self.windowed, &mut self.answers) {
            answers.push(call.index, print.exact, "", "");
            push(signals, windowed.on_call(&Seen { threshold: None, ..call }, answers));
        }
    }

    fn on_exchange(
        &mut self,
        outcome: &Outcome<'_>,
        exchange: &Exchange,
        signals: &mut Vec<Signal>,
    ) {
        let Some(exchanges) = &self.exchanges else { return };
        if let Some(no_progress) = &mut self.no_progress {
            push(signals, no_progress.on_result(outcome, exchange));
        }
        if let Some(rounds) = &mut self.rounds {
            push(signals, rounds.on_result(outcome, exchange, exchanges));
        }
    }

    /// A call was refused.
    pub fn on_refusal(&mut self, print: &Fingerprint) {
        if let Some(exchanges) = &mut self.exchanges {
            exchanges.refuse(print.intent.steady);
        }
    }

    /// How often something new was learned or done.
    pub fn news(&self) -> u64 {
        self.exchanges.as_ref().map_or(0, Exchanges::news)
    }

    pub fn on_text(&mut self, chunk: &str, channel: Channel, signals: &mut Vec<Signal>) {
        if let Some(chant) = &mut self.chant {
            push(signals, chant.on_text(chunk, channel));
        }
    }

    /// A whole turn is a stream of its own.
    pub fn on_text_turn(&mut self, text: &str, signals: &mut Vec<Signal>) {
        if let Some(turns) = &mut self.summary {
            push(signals, turns.on_text_turn(text));
        }
        self.end_streams();
        self.on_text(text, Channel::Text, signals);
        self.end_streams();
    }

    fn end_streams(&mut self) {
        if let Some(chant) = &mut self.chant {
            chant.restart();
        }
    }

    pub fn on_turn(&mut self, signals: &mut Vec<Signal>) {
        self.end_streams();
        push(signals, self.cap.on_turn());
    }

    /// Whether the agent is in a loop right now.
    pub fn stuck(&self) -> bool {
        self.patterns().into_iter().any(|(_, pattern)| pattern.is_some_and(Pattern::active))
    }

    /// Whether calls are repeating right now.
    pub fn repeating(&self) -> bool {
        let calls = |kind| {
            matches!(
                kind,
                LoopKind::ExactRepeat
                    | LoopKind::FuzzyRepeat
                    | LoopKind::WindowedRepeat
                    | LoopKind::Cycle
                    | LoopKind::NoProgress
                    | LoopKind::Variant
                    | LoopKind::Oscillation
            )
        };
        self.patterns()
            .into_iter()
            .any(|(kind, pattern)| calls(kind) && pattern.is_some_and(Pattern::active))
    }

    /// How often the newest call came in a row: by the fuzzy count where that is
    /// what triggers.
    pub fn consecutive(&self) -> u64 {
        let triggered = |streak: &&Streak| streak.active();
        let exact = self.exact.as_ref();
        let counted = exact.filter(triggered).or(self.fuzzy.as_ref().filter(triggered)).or(exact);
        let still = self.no_progress.as_ref().map_or(0, NoProgress::count);
        counted.map_or(still, Streak::count)
    }

    /// Streaks and runs start anew; the history has been cleared.
    pub fn restart(&mut self) {
        for (_, pattern) in self.patterns_mut() {
            if let Some(pattern) = pattern {
                pattern.restart();
            }
        }
        if let Some(exchanges) = &mut self.exchanges {
            exchanges.restart();
        }
        if let Some(answers) = &mut self.answers {
            answers.clear();
        }
    }

    pub fn save(&self, out: &mut Writer) {
        for (_, pattern) in self.patterns() {
            if let Some(pattern) = pattern {
                pattern.save(out);
            }
        }
        self.cap.save(out);
        out.flag(self.heard);
        if let Some(exchanges) = &self.exchanges {
            exchanges.save(out);
        }
        if let Some(answers) = &self.answers {
            answers.save(out);
        }
    }

    /// Reads what [`Detectors::save`] wrote into fresh detectors. What follows
    /// from the history (the windowed counts) is counted again.
    pub fn load(&mut self, from: &mut Reader, history: &History, config: &Config) -> Option<()> {
        for (_, pattern) in self.patterns_mut() {
            if let Some(pattern) = pattern {
                pattern.load(from)?;
            }
        }
        self.cap.load(from)?;
        self.heard = from.flag()?;
        if let Some(exchanges) = &mut self.exchanges {
            *exchanges = Exchanges::load(config.window, from)?;
        }
        if let Some(answers) = &mut self.answers {
            *answers = History::load(config.window as usize + 1, from, None)?;
        }
        if let Some(windowed) = &mut self.windowed {
            windowed.recount(self.answers.as_ref().unwrap_or(history), config);
        }
        Some(())
    }

    fn patterns(&self) -> [(LoopKind, Option<&dyn Pattern>); 13] {
        fn part<T: Pattern>(pattern: &Option<T>) -> Option<&dyn Pattern> {
            pattern.as_ref().map(|pattern| pattern as &dyn Pattern)
        }
        [
            (LoopKind::ExactRepeat, part(&self.exact)),
            (LoopKind::FuzzyRepeat, part(&self.fuzzy)),
            (LoopKind::WindowedRepeat, part(&self.windowed)),
            (LoopKind::Cycle, part(&self.cycle)),
            (LoopKind::Cycle, part(&self.rounds)),
            (LoopKind::NoProgress, part(&self.no_progress)),
            (LoopKind::Variant, part(&self.variant)),
            (LoopKind::SameError, part(&self.same_error)),
            (LoopKind::Oscillation, part(&self.oscillation)),
            (LoopKind::FailureCascade, part(&self.failure_cascade)),
            (LoopKind::TestFix, part(&self.test_fix)),
            (LoopKind::Summary, part(&self.summary)),
            (LoopKind::Chant, part(&self.chant)),
        ]
    }

    fn patterns_mut(&mut self) -> [(LoopKind, Option<&mut dyn Pattern>); 13] {
        fn part<T: Pattern>(pattern: &mut Option<T>) -> Option<&mut dyn Pattern> {
            pattern.as_mut().map(|pattern| pattern as &mut dyn Pattern)
        }
        [
            (LoopKind::ExactRepeat, part(&mut self.exact)),
            (LoopKind::FuzzyRepeat, part(&mut self.fuzzy)),
            (LoopKind::WindowedRepeat, part(&mut self.windowed)),
            (LoopKind::Cycle, part(&mut self.cycle)),
            (LoopKind::Cycle, part(&mut self.rounds)),
            (LoopKind::NoProgress, part(&mut self.no_progress)),
            (LoopKind::Variant, part(&mut self.variant)),
            (LoopKind::SameError, part(&mut self.same_error)),
            (LoopKind::Oscillation, part(&mut self.oscillation)),
            (LoopKind::FailureCascade, part(&mut self.failure_cascade)),
            (LoopKind::TestFix, part(&mut self.test_fix)),
            (LoopKind::Summary, part(&mut self.summary)),
            (LoopKind::Chant, part(&mut self.chant)),
        ]
    }
}

/// Keeps a signal, if there is one; tells whether there was.
fn push(signals: &mut Vec<Signal>, signal: Option<Signal>) -> bool {
    match signal {
        Some(signal) => {
            signals.push(signal);
            true
        }
        None => false,
    }
}
