//! One pattern per file. Each turns events into signals; what is done about a
//! signal is decided elsewhere.
//!
//! Every detector keeps its cost per event constant, whatever the history: it
//! holds counters and looks at a bounded number of remembered calls.

mod chant;
mod consecutive_counter;
mod cycle;
mod equal_run;
mod exact;
mod failure_cascade;
mod fuzzy;
mod iteration_cap;
mod no_progress;
mod oscillation;
mod outcome_streak;
mod repeat_thresholds;
mod result_aware;
mod same_error;
mod signal;
mod stale_cycle;
mod summary;
mod test_fix;
mod variant;
mod windowed_repeat;

use crate::call::Fingerprint;
use crate::config::Config;
use crate::event::Channel;
use crate::hash;
use crate::history::History;
use crate::result::Evidence;
use crate::snapshot::codec::{Reader, Writer};
use crate::verdict::LoopKind;
use alloc::vec::Vec;
use chant::Chant;
use consecutive_counter::ConsecutiveCounter;
use cycle::Cycle;
use equal_run::EqualRun;
use failure_cascade::FailureCascade;
use iteration_cap::IterationCap;
use result_aware::ResultAware;
use signal::push;
use summary::Summary;
use windowed_repeat::WindowedRepeat;

pub(crate) use result_aware::is_result_aware;
pub(crate) use signal::{CallEvent, ResultEvent, Signal};

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
    exact: Option<EqualRun>,
    fuzzy: Option<EqualRun>,
    windowed: Option<WindowedRepeat>,
    cycle: Option<Cycle>,
    result_aware: Option<ResultAware>,
    failure_cascade: Option<FailureCascade>,
    test_fix: Option<ConsecutiveCounter>,
    summary: Option<Summary>,
    chant: Option<Chant>,
    pub cap: IterationCap,
    /// Which repeats are told by their results.
    exact_by_results: bool,
    windowed_by_results: bool,
    /// The answered calls by call and result, where the windowed repeat asks.
    answers: Option<History>,
}

impl Detectors {
    pub fn new(config: &Config) -> Self {
        let threshold = |kind| config.rule(kind).map(|rule| rule.threshold);
        let streak = |kind| threshold(kind).map(|threshold| EqualRun::new(kind, threshold));
        let tally =
            |kind| threshold(kind).map(|threshold| ConsecutiveCounter::new(kind, threshold));
        Self {
            exact: streak(LoopKind::ExactRepeat),
            fuzzy: streak(LoopKind::FuzzyRepeat),
            windowed: threshold(LoopKind::WindowedRepeat)
                .map(|threshold| WindowedRepeat::new(threshold, config.window)),
            cycle: threshold(LoopKind::Cycle)
                .filter(|_| !config.result_aware(LoopKind::Cycle))
                .map(|passes| Cycle::new(passes, config.max_period)),
            result_aware: ResultAware::new(config),
            failure_cascade: threshold(LoopKind::FailureCascade).map(FailureCascade::new),
            test_fix: tally(LoopKind::TestFix),
            summary: threshold(LoopKind::Summary)
                .map(|threshold| Summary::new(threshold, config.text_turns)),
            chant: threshold(LoopKind::Chant).map(Chant::new),
            cap: IterationCap::new(config.iteration_cap),
            exact_by_results: config.result_aware(LoopKind::ExactRepeat),
            windowed_by_results: config.result_aware(LoopKind::WindowedRepeat),
            answers: config
                .result_aware(LoopKind::WindowedRepeat)
                .then(|| History::new(config.window as usize + 1)),
        }
    }

    /// A call was recorded and is the newest in the history.
    pub fn on_call(&mut self, call: &CallEvent<'_>, history: &History, signals: &mut Vec<Signal>) {
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

    /// The same for the patterns that look at results.
    pub fn on_call_by_results(&mut self, call: &CallEvent<'_>, signals: &mut Vec<Signal>) {
        if let Some(result_aware) = &mut self.result_aware {
            result_aware.on_call(call, signals);
        }
    }

    /// Any call at all, also of an exempt tool.
    pub fn on_any_call(&mut self) {
        self.end_streams();
        if let Some(turns) = &mut self.summary {
            turns.restart();
        }
    }

    pub fn on_result(&mut self, outcome: &ResultEvent<'_>, signals: &mut Vec<Signal>) {
        if let Some(cascade) = &mut self.failure_cascade {
            push(signals, cascade.on_result(outcome));
        }
        if let Some(failures) = &mut self.test_fix {
            push(signals, test_fix::on_result(failures, outcome));
        }
    }

    /// The same for the patterns that look at results.
    pub fn on_result_by_results(&mut self, outcome: &ResultEvent<'_>, signals: &mut Vec<Signal>) {
        self.on_answer(outcome, signals);
        if let Some(result_aware) = &mut self.result_aware {
            result_aware.on_result(outcome, signals);
        }
    }

    /// For the repeats that are told by their results. One that is not known
    /// is like no other.
    fn on_answer(&mut self, outcome: &ResultEvent<'_>, signals: &mut Vec<Signal>) {
        let unknown = outcome.reply.worth == Evidence::Unknown;
        let what = if unknown { hash::pair(outcome.index, 0) } else { outcome.reply.hash };
        let fingerprint = Fingerprint {
            exact: hash::pair(outcome.fingerprint.exact, what),
            ..*outcome.fingerprint
        };
        let call = CallEvent {
            index: outcome.index,
            fingerprint: &fingerprint,
            threshold: outcome.threshold,
            fuzzy_threshold: None,
        };
        if let Some(streak) = self.exact.as_mut().filter(|_| self.exact_by_results) {
            push(signals, exact::on_call(streak, &call));
        }
        if let (Some(windowed), Some(answers)) = (&mut self.windowed, &mut self.answers) {
            answers.push(call.index, fingerprint.exact, "", "");
            push(signals, windowed.on_call(&CallEvent { threshold: None, ..call }, answers));
        }
    }

    /// A call was refused.
    pub fn on_refusal(&mut self, fingerprint: &Fingerprint) {
        if let Some(result_aware) = &mut self.result_aware {
            result_aware.on_refusal(fingerprint);
        }
    }

    /// How often something new was learned or done.
    pub fn news(&self) -> u64 {
        self.result_aware.as_ref().map_or(0, ResultAware::news)
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
            )
        };
        self.patterns()
            .into_iter()
            .any(|(kind, pattern)| calls(kind) && pattern.is_some_and(Pattern::active))
            || self.result_aware.as_ref().is_some_and(ResultAware::repeating)
    }

    /// How often the newest call came in a row: by the fuzzy count where that is
    /// what triggers.
    pub fn consecutive(&self) -> u64 {
        let triggered = |streak: &&EqualRun| streak.active();
        let exact = self.exact.as_ref();
        let counted = exact.filter(triggered).or(self.fuzzy.as_ref().filter(triggered)).or(exact);
        let still = self.result_aware.as_ref().map_or(0, ResultAware::still);
        counted.map_or(still, EqualRun::count)
    }

    /// Streaks and runs start anew; the history has been cleared.
    pub fn restart(&mut self) {
        for (_, pattern) in self.patterns_mut() {
            if let Some(pattern) = pattern {
                pattern.restart();
            }
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
        if let Some(answers) = &mut self.answers {
            *answers = History::load(config.window as usize + 1, from, None)?;
        }
        if let Some(windowed) = &mut self.windowed {
            windowed.recount(self.answers.as_ref().unwrap_or(history), config);
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
            (LoopKind::NoProgress, part(&self.result_aware)),
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
            (LoopKind::NoProgress, part(&mut self.result_aware)),
            (LoopKind::FailureCascade, part(&mut self.failure_cascade)),
            (LoopKind::TestFix, part(&mut self.test_fix)),
            (LoopKind::Summary, part(&mut self.summary)),
            (LoopKind::Chant, part(&mut self.chant)),
        ]
    }
}
