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
mod streak;
mod summary;
mod tally;
mod test_fix;
mod windowed;

use crate::codec::{Reader, Writer};
use crate::config::Config;
use crate::event::Channel;
use crate::fingerprint::Fingerprint;
use crate::hash;
use crate::history::History;
use crate::verdict::{LoopKind, TextDetails};
use alloc::vec::Vec;
use chant::Chant;
use cycle::Cycle;
use failure_cascade::FailureCascade;
use iteration_cap::IterationCap;
use streak::Streak;
use summary::Summary;
use tally::Tally;
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
    pub failed: bool,
    /// The tool's own threshold, if options give it one.
    pub threshold: Option<u32>,
    /// The output's hash; `None` when it is not known.
    pub output: Option<u64>,
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
    no_progress: Option<Streak>,
    failure_cascade: Option<FailureCascade>,
    test_fix: Option<Tally>,
    summary: Option<Summary>,
    chant: Option<Chant>,
    pub cap: IterationCap,
}

impl Detectors {
    pub fn new(config: &Config) -> Self {
        let threshold = |kind| config.rule(kind).map(|rule| rule.threshold);
        let streak = |kind| threshold(kind).map(|threshold| Streak::new(kind, threshold));
        let tally = |kind| threshold(kind).map(|threshold| Tally::new(kind, threshold));
        Self {
            exact: streak(LoopKind::ExactRepeat),
            fuzzy: streak(LoopKind::FuzzyRepeat),
            windowed: threshold(LoopKind::WindowedRepeat)
                .map(|threshold| WindowedRepeat::new(threshold, config.window)),
            cycle: threshold(LoopKind::Cycle).map(|passes| Cycle::new(passes, config.max_period)),
            no_progress: streak(LoopKind::NoProgress),
            failure_cascade: threshold(LoopKind::FailureCascade).map(FailureCascade::new),
            test_fix: tally(LoopKind::TestFix),
            summary: threshold(LoopKind::Summary)
                .map(|threshold| Summary::new(threshold, config.text_turns)),
            chant: threshold(LoopKind::Chant).map(Chant::new),
            cap: IterationCap::new(config.iteration_cap),
        }
    }

    /// A call was recorded and is the newest in the history.
    pub fn on_call(&mut self, call: &Seen<'_>, history: &History, signals: &mut Vec<Signal>) {
        let mut found = false;
        if let Some(streak) = &mut self.exact {
            found = push(signals, exact::on_call(streak, call));
        }
        if let Some(streak) = &mut self.fuzzy {
            let fuzzy = fuzzy::on_call(streak, call);
            // Fuzzy only counts where exact did not already trigger.
            push(signals, if found { None } else { fuzzy });
        }
        if let Some(windowed) = &mut self.windowed {
            push(signals, windowed.on_call(call, history));
        }
        if let Some(cycle) = &mut self.cycle {
            push(signals, cycle.on_call(history));
        }
        self.on_any_call();
    }

    /// Any call at all, also of an exempt tool.
    pub fn on_any_call(&mut self) {
        self.end_streams();
        if let Some(turns) = &mut self.summary {
            turns.restart();
        }
    }

    pub fn on_result(&mut self, outcome: &Outcome<'_>, signals: &mut Vec<Signal>) {
        if let Some(streak) = &mut self.no_progress {
            push(signals, no_progress::on_result(streak, outcome));
        }
        if let Some(cascade) = &mut self.failure_cascade {
            push(signals, cascade.on_result(outcome));
        }
        if let Some(failures) = &mut self.test_fix {
            push(signals, test_fix::on_result(failures, outcome));
        }
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
        let counted = exact
            .filter(triggered)
            .or(self.fuzzy.as_ref().filter(triggered))
            .or(exact)
            .or(self.no_progress.as_ref());
        counted.map_or(0, Streak::count)
    }

    /// Streaks and runs start anew; the history has been cleared.
    pub fn restart(&mut self) {
        for (_, pattern) in self.patterns_mut() {
            if let Some(pattern) = pattern {
                pattern.restart();
            }
        }
    }

    pub fn save(&self, out: &mut Writer) {
        for (_, pattern) in self.patterns() {
            if let Some(pattern) = pattern {
                pattern.save(out);
            }
        }
        self.cap.save(out);
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
        if let Some(windowed) = &mut self.windowed {
            windowed.recount(history, config);
        }
        Some(())
    }

    fn patterns(&self) -> [(LoopKind, Option<&dyn Pattern>); 9] {
        fn part<T: Pattern>(pattern: &Option<T>) -> Option<&dyn Pattern> {
            pattern.as_ref().map(|pattern| pattern as &dyn Pattern)
        }
        [
            (LoopKind::ExactRepeat, part(&self.exact)),
            (LoopKind::FuzzyRepeat, part(&self.fuzzy)),
            (LoopKind::WindowedRepeat, part(&self.windowed)),
            (LoopKind::Cycle, part(&self.cycle)),
            (LoopKind::NoProgress, part(&self.no_progress)),
            (LoopKind::FailureCascade, part(&self.failure_cascade)),
            (LoopKind::TestFix, part(&self.test_fix)),
            (LoopKind::Summary, part(&self.summary)),
            (LoopKind::Chant, part(&self.chant)),
        ]
    }

    fn patterns_mut(&mut self) -> [(LoopKind, Option<&mut dyn Pattern>); 9] {
        fn part<T: Pattern>(pattern: &mut Option<T>) -> Option<&mut dyn Pattern> {
            pattern.as_mut().map(|pattern| pattern as &mut dyn Pattern)
        }
        [
            (LoopKind::ExactRepeat, part(&mut self.exact)),
            (LoopKind::FuzzyRepeat, part(&mut self.fuzzy)),
            (LoopKind::WindowedRepeat, part(&mut self.windowed)),
            (LoopKind::Cycle, part(&mut self.cycle)),
            (LoopKind::NoProgress, part(&mut self.no_progress)),
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
