//! [`LoopDetector`]: runs an event through fingerprint, history, detectors and
//! escalation, and says what the host should do.

mod judge;
mod known_tools;
mod snapshot;

use crate::call::{Fingerprinter, Wanted, first_characters};
use crate::config::{Batch, Config};
use crate::error::Error;
use crate::escalation::Escalation;
use crate::event::{Args, Call, Channel, ToolResult};
use crate::hash;
use crate::history::{History, RecentNames};
use crate::history::{Pending, Waiting};
use crate::patterns::{CallEvent, Detectors, ResultEvent, Signal, is_result_aware};
use crate::result::{NO_RESULTS, classify_result, failed};
use crate::tools::Effect;
use crate::value::Value;
use crate::verdict::{Action, LoopKind, Verdict};
use alloc::string::String;
use alloc::vec::Vec;
use judge::harder;
use known_tools::KnownTools;

/// The state that hosts of the first seed know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoopDetectionState {
    /// Whether calls are repeating right now.
    pub doom_loop_detected: bool,
    /// The tool that was called last.
    pub last_tool: Option<String>,
    /// How often the last call came in a row.
    pub consecutive_count: u64,
    /// How many repeats make a loop, in the main rule.
    pub threshold: u32,
    /// The same for calls that are alike but not identical.
    pub fuzzy_threshold: u32,
    /// When the last warning was given, by the detector's clock; 0 if never.
    pub last_warning_time: u64,
}

/// Notices when an agent goes round in circles.
///
/// ```
/// use loophound::{Action, LoopDetector, Preset};
///
/// let mut detector = LoopDetector::with_preset(Preset::Nudge);
/// let args = r#"{"path":"src/auth.py"}"#;
/// assert_eq!(detector.record("read_file", args).action, Action::Continue);
/// assert_eq!(detector.record("read_file", args).action, Action::Continue);
/// let verdict = detector.record("read_file", args);
/// assert_eq!(verdict.action, Action::Nudge);
/// assert_eq!(verdict.count, 3);
/// ```
pub struct LoopDetector {
    config: Config,
    tools: KnownTools,
    wanted: Wanted,
    fingerprinter: Fingerprinter,
    clock: fn() -> u64,
    state: State,
    signals: Vec<Signal>,
    batch: Option<Verdict>,
    /// What the calls of the turn so far are the same as; only within a batch.
    round: Vec<u64>,
}

/// What `reset` forgets and snapshots carry.
struct State {
    /// How many calls were recorded.
    calls: u64,
    /// How many turns these were, as far as batches tell.
    rounds: u64,
    history: History,
    recent: RecentNames,
    pending: Pending,
    detectors: Detectors,
    escalation: Escalation,
    /// The line that told what went wrong last; empty after what worked.
    complaint: String,
    last_warning: u64,
    verdict: Verdict,
}

impl State {
    fn new(config: &Config) -> Self {
        Self {
            calls: 0,
            rounds: 0,
            history: History::new(history_capacity(config)),
            recent: RecentNames::default(),
            pending: Pending::default(),
            detectors: Detectors::new(config),
            escalation: Escalation::default(),
            complaint: String::new(),
            last_warning: 0,
            verdict: Verdict::default(),
        }
    }
}

/// One call more than any detector looks back, so that the one that leaves the
/// window can still be seen.
fn history_capacity(config: &Config) -> usize {
    config.window.max(config.max_period) as usize + 1
}

/// So many different calls of one turn are compared with one another. More than
/// any model makes at once.
const ROUND: usize = 128;

/// How much of a failure's telling line is quoted.
const COMPLAINT_LENGTH: usize = 160;

impl LoopDetector {
    /// A detector with these values.
    ///
    /// # Errors
    /// When the values contradict one another; see [`Config::check`].
    pub fn new(config: Config) -> Result<Self, Error> {
        config.check()?;
        Ok(Self::build(config))
    }

    /// A detector with a preset's values.
    pub fn with_preset(preset: crate::config::Preset) -> Self {
        Self::build(preset.config())
    }

    fn build(config: Config) -> Self {
        let on = |kind| config.rule(kind).is_some();
        let wanted = Wanted {
            fuzzy: on(LoopKind::FuzzyRepeat),
            commands: on(LoopKind::FailureCascade) || on(LoopKind::TestFix),
            intents: is_result_aware(&config),
        };
        Self {
            tools: KnownTools::new(&config),
            wanted,
            fingerprinter: Fingerprinter::new(config.identity, wanted, &config.tables),
            clock: crate::clock::system,
            state: State::new(&config),
            config,
            signals: Vec::new(),
            batch: None,
            round: Vec::new(),
        }
    }

    /// Uses another clock (milliseconds since 1970) for the time of the last warning.
    pub fn set_clock(&mut self, clock: fn() -> u64) {
        self.clock = clock;
    }

    /// The values in force.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// A tool call, before it runs.
    pub fn record<'a>(&mut self, name: &'a str, args: impl Into<Args<'a>>) -> &Verdict {
        self.record_call(&Call::new(name, args))
    }

    /// A tool call, before it runs; with an id, if it has one.
    pub fn record_call(&mut self, call: &Call<'_>) -> &Verdict {
        self.take_call(call);
        match (&mut self.batch, self.config.batch) {
            (None, _) => {
                self.judge();
                self.refuse(self.state.verdict.action);
            }
            (Some(_), Batch::End) => {
                // Judged at the end: only the last call's signals are kept.
                return &self.state.verdict;
            }
            (Some(_), Batch::Each) => {
                let verdict = self.verdict_now();
                self.refuse(verdict.action);
                if let Some(hardest) =
                    self.batch.as_mut().filter(|hardest| harder(&verdict, hardest))
                {
                    *hardest = verdict;
                }
            }
        }
        &self.state.verdict
    }

    /// The parallel calls of one model turn.
    pub fn record_batch(&mut self, calls: &[Call<'_>]) -> &Verdict {
        self.begin_batch();
        for call in calls {
            self.record_call(call);
        }
        self.end_batch()
    }

    /// From now on calls belong to one model turn, until [`LoopDetector::end_batch`].
    pub fn begin_batch(&mut self) {
        self.signals.clear();
        self.round.clear();
        // The calls of a batch are one turn.
        self.state.rounds = self.state.rounds.saturating_add(1);
        self.batch = Some(Verdict::default());
    }

    /// The turn's calls are recorded: the verdict on all of them.
    pub fn end_batch(&mut self) -> &Verdict {
        match (self.batch.take(), self.config.batch) {
            (Some(hardest), Batch::Each) => self.state.verdict = hardest,
            _ => self.judge(),
        }
        &self.state.verdict
    }

    /// What came of a call. A result that belongs to no unanswered call says nothing.
    pub fn record_result(&mut self, result: &ToolResult<'_>) -> &Verdict {
        self.signals.clear();
        if let Some(call) = self.state.pending.answer(result.id, result.name) {
            // Looking through outputs costs time: not where no pattern asks.
            let (reply, told) = match self.wanted.intents {
                true => classify_result(&call.fingerprint, result),
                false => (NO_RESULTS, ""),
            };
            let outcome = ResultEvent {
                index: call.index,
                fingerprint: &call.fingerprint,
                failed: self.wanted.commands && failed(&call.fingerprint, result),
                threshold: self.tools.own_threshold(call.fingerprint.tool),
                reply,
                output: result.output.unwrap_or_default(),
            };
            if !call.exempt {
                self.state.detectors.on_result(&outcome, &mut self.signals);
            }
            // What we answered in place of a tool is neither news nor a repeat.
            if !call.exempt && !call.duplicate_in_turn && !call.refused && self.wanted.intents {
                self.state.complaint.clear();
                self.state.complaint.push_str(first_characters(told, COMPLAINT_LENGTH));
                self.state.detectors.on_result_by_results(&outcome, &mut self.signals);
            }
        }
        self.judge();
        &self.state.verdict
    }

    /// A whole turn without tool calls.
    pub fn record_text(&mut self, text: &str) -> &Verdict {
        self.signals.clear();
        self.state.detectors.on_text_turn(text, &mut self.signals);
        self.judge();
        &self.state.verdict
    }

    /// Text as it streams. A call, a turn, a text turn or a person speaking ends
    /// the stream.
    pub fn push_text(&mut self, chunk: &str, channel: Channel) -> &Verdict {
        self.signals.clear();
        self.state.detectors.on_text(chunk, channel, &mut self.signals);
        // Chunks are small and many: nothing is done when there is nothing to say.
        if !self.signals.is_empty() || self.state.verdict.kind.is_some() {
            self.judge();
        }
        &self.state.verdict
    }

    /// One model turn begins; counts toward the iteration cap.
    pub fn begin_turn(&mut self) -> &Verdict {
        self.signals.clear();
        self.state.detectors.on_turn(&mut self.signals);
        self.judge();
        &self.state.verdict
    }

    /// A person spoke: streaks restart, and every loop at its first rung.
    pub fn user_message(&mut self) {
        self.restart();
        self.state.escalation.restart();
    }

    /// The nudge was delivered: a fresh chance, and the next detection counts
    /// one rung higher where the escalation climbs by feedback.
    pub fn clear_after_feedback(&mut self) {
        self.restart();
        self.state.escalation.feedback();
    }

    fn restart(&mut self) {
        self.state.history.clear();
        self.state.detectors.restart();
        self.state.verdict = Verdict::default();
    }

    /// Whether the agent is in a loop right now.
    pub fn is_stuck(&self) -> bool {
        self.state.detectors.stuck()
    }

    /// The latest verdict.
    pub fn verdict(&self) -> &Verdict {
        &self.state.verdict
    }

    /// The six fields of the first seed.
    pub fn state(&self) -> LoopDetectionState {
        LoopDetectionState {
            doom_loop_detected: self.state.detectors.repeating(),
            last_tool: self.state.recent.last().map(String::from),
            consecutive_count: self.state.detectors.consecutive(),
            threshold: self.config.threshold_of(self.config.main),
            fuzzy_threshold: self.config.threshold_of(LoopKind::FuzzyRepeat),
            last_warning_time: self.state.last_warning,
        }
    }

    /// The last five tool names, newest last.
    pub fn recent_names(&self) -> Vec<String> {
        self.state.recent.to_vec()
    }

    /// Raises the iteration cap; tells by how much it was raised.
    pub fn extend(&mut self, by: u32) -> u32 {
        self.state.detectors.cap.extend(by)
    }

    /// Forgets everything but the options.
    pub fn reset(&mut self) {
        self.state = State::new(&self.config);
        self.signals.clear();
        self.batch = None;
    }

    /// The state as plain data, to continue from later.
    pub fn snapshot(&self) -> Value {
        snapshot::save(&self.config, &self.state)
    }

    /// Continues from a snapshot.
    ///
    /// # Errors
    /// When it is not a snapshot of this version, was damaged, or was made with
    /// options of another shape. Nothing has changed then.
    pub fn restore(&mut self, snapshot: &Value) -> Result<(), Error> {
        self.state = snapshot::load(&self.config, snapshot)?;
        self.signals.clear();
        self.batch = None;
        Ok(())
    }

    /// Records the call and leaves what the detectors say in `signals`.
    fn take_call(&mut self, call: &Call<'_>) {
        self.signals.clear();
        let Some((key, tool)) = self.tools.look_up(call.name, &self.config) else { return };
        let mut fingerprint = self.fingerprinter.take(
            *key,
            call.args,
            tool.class,
            &tool.ignored,
            &self.config.tables,
        );
        fingerprint.intent.is_polling |= tool.is_polling;
        let duplicate_in_turn =
            self.batch.is_some() && self.round.contains(&fingerprint.intent.normalized_hash);
        if self.batch.is_some() && !duplicate_in_turn && self.round.len() < ROUND {
            self.round.push(fingerprint.intent.normalized_hash);
        }
        let index = self.state.calls;
        self.state.calls = index.saturating_add(1);
        if self.batch.is_none() {
            self.state.rounds = self.state.rounds.saturating_add(1);
        }
        self.state.recent.push(call.name);
        self.state.pending.push(Waiting {
            id: call.id.map(|id| hash::bytes(id.as_bytes())),
            index,
            fingerprint,
            exempt: tool.exempt,
            duplicate_in_turn,
            refused: false,
        });
        if tool.exempt {
            self.state.detectors.on_any_call();
            return;
        }
        let shown = match call.args {
            Args::Text(text) | Args::Key(text) => text.trim_ascii(),
            Args::None => "",
        };
        self.state.history.push(index, fingerprint.exact, call.name, shown);
        if let Args::Text(text) = call.args
            && fingerprint.intent.effect == Effect::Write
            && let Some(path) = self.fingerprinter.path(text)
        {
            self.state.history.changes(path);
        }
        let seen = CallEvent {
            index,
            fingerprint: &fingerprint,
            threshold: tool.threshold,
            fuzzy_threshold: tool.fuzzy_threshold,
        };
        self.state.detectors.on_call(&seen, &self.state.history, &mut self.signals);
        if !duplicate_in_turn {
            self.state.detectors.on_call_by_results(&seen, &mut self.signals);
        }
    }

    /// The newest call will not run: a refused one is answered by us, and one at
    /// which the run is stopped is not answered at all.
    fn refuse(&mut self, action: Action) {
        if action < Action::Block {
            return;
        }
        if let Some(fingerprint) = self.state.pending.refuse_newest(action == Action::Stop) {
            self.state.detectors.on_refusal(&fingerprint);
        }
    }
}
