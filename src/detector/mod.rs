//! [`LoopDetector`]: runs an event through identity, history, patterns and
//! escalation, and says what the host should do.

mod judge;
mod known_tools;
mod snapshot;

use crate::call::{Fingerprinter, Wanted, first_characters};
use crate::clock::Clock;
use crate::config::{Batch, Config, MAX_PERIOD};
use crate::error::Error;
use crate::escalation::Escalation;
use crate::event::{Args, Call, Channel, ToolResult};
use crate::hash;
use crate::history::{Answered, CallLog, OutcomeLog, Pending, PendingCall, RecentNames};
use crate::patterns::{
    CallEvent, Memory, Patterns, ResultEvent, Signal, TextEvent, is_result_aware,
};
use crate::result::{
    CalledTool, Evidence, NO_RESULTS, ReadResult, classify_result, failed, is_unclear_test_run,
};
use crate::snapshot::Snapshot;
use crate::tools::{Effect, ToolClass};
use crate::verdict::{Action, LoopKind, Verdict, count};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use judge::is_harder;
use known_tools::KnownTools;
use serde::{Deserialize, Serialize};

/// A summary of the state, with the fields of the reference implementation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct LoopDetectionState {
    /// Whether calls are repeating right now.
    pub doom_loop_detected: bool,
    /// The tool that was called last.
    pub last_tool: Option<String>,
    /// How many times in a row the last call was made.
    #[serde(serialize_with = "count")]
    pub consecutive_count: u64,
    /// How many repeats make a loop, in the main rule.
    pub threshold: u32,
    /// The same for calls that agree only in their primary arguments.
    pub fuzzy_threshold: u32,
    /// When the last warning was given, by the detector's clock; 0 if never.
    #[serde(serialize_with = "count")]
    pub last_warning_time: u64,
}

/// Detects when an agent is stuck in a loop.
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
    clock: Clock,
    state: State,
    signals: Vec<Signal>,
    batch: BatchState,
}

/// The turn whose calls are being recorded as a batch.
#[derive(Default)]
struct BatchState {
    is_open: bool,
    /// The verdict on its newest call.
    newest: Verdict,
    hardest: Verdict,
}

/// What `reset` forgets and snapshots carry.
#[derive(Serialize, Deserialize)]
struct State {
    /// How many calls were recorded.
    calls: u64,
    /// How many turns these were, as far as batches and results tell.
    turns: u64,
    /// The calls of the newest turn.
    turn: TurnCalls,
    log: CallLog,
    recent: RecentNames,
    pending: Pending,
    outcomes: OutcomeLog,
    patterns: Patterns,
    escalation: Escalation,
    /// The line that says what went wrong last; empty after a success.
    error_line: String,
    last_warning: u64,
    verdict: Verdict,
}

impl State {
    fn new(config: &Config) -> Self {
        Self {
            calls: 0,
            turns: 0,
            turn: TurnCalls::default(),
            log: CallLog::new(log_capacity(config)),
            recent: RecentNames::default(),
            pending: Pending::default(),
            outcomes: OutcomeLog::new(config.window),
            patterns: Patterns::new(config),
            escalation: Escalation::default(),
            error_line: String::new(),
            last_warning: 0,
            verdict: Verdict::default(),
        }
    }

    /// Begins the next turn. The memory for its calls stays.
    fn begin_turn(&mut self) {
        self.turns = self.turns.saturating_add(1);
        self.turn.calls.clear();
    }

    /// Whether a call belongs to the turn of the one before it. Where the host reports
    /// results, that is so while the one before has none yet.
    fn continues_turn(&self) -> bool {
        let newest = self.calls.checked_sub(1);
        self.outcomes.has_results && newest.is_some_and(|index| self.pending.awaits_result(index))
    }

    /// Applies the options to loaded state; false if it cannot be one of ours.
    fn restore(&mut self, config: &Config) -> bool {
        let logs = self.log.restore(log_capacity(config), Some(self.calls))
            && self.outcomes.restore(config.window);
        let memory = Memory { calls: &self.log, outcomes: &self.outcomes };
        logs && self.recent.is_valid()
            && self.pending.is_valid()
            && self.patterns.restore(&memory, config)
            && self.escalation.is_valid()
            && first_characters(&self.error_line, MAX_ERROR_LINE).len() == self.error_line.len()
            && self.verdict.pattern.len() <= MAX_PATTERN
            && self.turn.calls.len() <= MAX_TURN_CALLS
    }
}

/// One call more than any pattern looks back, so that the one that leaves the
/// window can still be seen.
fn log_capacity(config: &Config) -> usize {
    config.window.max(config.max_period) as usize + 1
}

/// The longest pattern that a verdict shows: that of the longest cycle.
const MAX_PATTERN: usize = 2 * MAX_PERIOD as usize;

/// How many different calls of one turn are compared with one another: more than
/// any model makes at once.
const MAX_TURN_CALLS: usize = 128;

/// How much of an error line is quoted, in characters.
const MAX_ERROR_LINE: usize = 160;

impl Default for LoopDetector {
    /// Makes a detector with the default preset's values.
    fn default() -> Self {
        Self::build(Config::default())
    }
}

impl LoopDetector {
    /// Makes a detector with these values.
    ///
    /// # Errors
    /// When the values contradict one another; see [`Config::check`].
    pub fn new(config: Config) -> Result<Self, Error> {
        config.check()?;
        Ok(Self::build(config))
    }

    /// Makes a detector with a preset's values.
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
            clock: Box::new(crate::clock::system),
            state: State::new(&config),
            config,
            signals: Vec::new(),
            batch: BatchState::default(),
        }
    }

    /// Uses another clock (milliseconds since 1970) for the time of the last warning.
    pub fn set_clock(&mut self, clock: impl Fn() -> u64 + Send + Sync + 'static) {
        self.clock = Box::new(clock);
    }

    /// The values in force.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Records a tool call, before it runs.
    pub fn record<'a>(&mut self, name: &'a str, args: impl Into<Args<'a>>) -> &Verdict {
        self.record_call(&Call::new(name, args))
    }

    /// Records a tool call, before it runs; with an id, if it has one. Within a
    /// batch, the verdict is on this call alone, or "continue" where calls are judged
    /// at the end of the batch.
    pub fn record_call(&mut self, call: &Call<'_>) -> &Verdict {
        self.take_call(call);
        if !self.batch.is_open {
            self.judge();
            self.refuse(self.state.verdict.action);
            return &self.state.verdict;
        }
        // Where a batch is judged at its end, only the last call's signals are kept.
        let mut verdict = Verdict::default();
        if self.config.batch == Batch::Each {
            verdict = self.verdict_now();
            self.refuse(verdict.action);
        }
        if is_harder(&verdict, &self.batch.hardest) {
            self.batch.hardest = verdict.clone();
        }
        self.batch.newest = verdict;
        &self.batch.newest
    }

    /// Records the parallel calls of one model turn.
    pub fn record_batch(&mut self, calls: &[Call<'_>]) -> &Verdict {
        self.begin_batch();
        for call in calls {
            self.record_call(call);
        }
        self.end_batch()
    }

    /// Begins a batch: the calls until [`LoopDetector::end_batch`] are one model turn.
    pub fn begin_batch(&mut self) {
        self.signals.clear();
        self.state.begin_turn();
        self.batch.close();
        self.batch.is_open = true;
    }

    /// Ends the batch, with the verdict on all of its calls.
    pub fn end_batch(&mut self) -> &Verdict {
        match self.config.batch {
            Batch::Each if self.batch.is_open => {
                self.state.verdict = core::mem::take(&mut self.batch.hardest);
            }
            _ => self.judge(),
        }
        self.batch.close();
        &self.state.verdict
    }

    /// Records what came of a call. A result that belongs to no unanswered call is
    /// ignored.
    pub fn record_result(&mut self, result: &ToolResult<'_>) -> &Verdict {
        self.signals.clear();
        let call = self.state.pending.answer(result.id, result.name);
        if let Some(call) = call.filter(|call| !call.is_exempt) {
            self.take_result(&call, result);
        }
        self.judge();
        &self.state.verdict
    }

    /// Records a whole turn without tool calls.
    pub fn record_text(&mut self, text: &str) -> &Verdict {
        self.signals.clear();
        self.state.patterns.on_text(&TextEvent::Turn(text), &mut self.signals);
        self.judge();
        &self.state.verdict
    }

    /// Takes text as it streams. A call, a turn, a text turn or a person speaking
    /// ends the stream.
    pub fn push_text(&mut self, chunk: &str, channel: Channel) -> &Verdict {
        self.signals.clear();
        self.state.patterns.on_text(&TextEvent::Chunk(chunk, channel), &mut self.signals);
        self.judge();
        &self.state.verdict
    }

    /// Begins a model turn; counts toward the iteration cap.
    pub fn begin_turn(&mut self) -> &Verdict {
        self.signals.clear();
        self.state.patterns.on_turn(&mut self.signals);
        self.judge();
        &self.state.verdict
    }

    /// Takes note that a person spoke: counts restart, and every loop at its first rung.
    pub fn user_message(&mut self) {
        self.restart();
        self.state.escalation.reset();
    }

    /// Takes note that the nudge was delivered: a fresh chance, and the next detection
    /// counts one rung higher where escalation goes by feedback.
    pub fn clear_after_feedback(&mut self) {
        self.restart();
        self.state.escalation.feedback();
    }

    fn restart(&mut self) {
        self.state.log.clear();
        self.state.outcomes.clear();
        self.state.patterns.reset();
        self.state.verdict = Verdict::default();
    }

    /// Takes note that the model's context was compacted: what worked may be looked at
    /// once more. Escalation and failures stay.
    pub fn context_compacted(&mut self) {
        self.state.outcomes.forget_successes();
        self.state.patterns.on_compaction();
    }

    /// Whether the agent is in a loop right now.
    pub fn is_stuck(&self) -> bool {
        self.state.patterns.is_stuck()
    }

    /// The latest verdict.
    pub fn verdict(&self) -> &Verdict {
        &self.state.verdict
    }

    /// Summarises the state.
    pub fn state(&self) -> LoopDetectionState {
        let fuzzy_repeats = self.state.patterns.fuzzy_repeats();
        LoopDetectionState {
            doom_loop_detected: self.state.patterns.is_repeating(),
            last_tool: self.state.recent.last().map(String::from),
            consecutive_count: fuzzy_repeats.unwrap_or(self.state.log.consecutive()),
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
        self.state.patterns.extend(by)
    }

    /// Forgets everything but the options.
    pub fn reset(&mut self) {
        self.replace_state(State::new(&self.config));
    }

    /// Saves the state, to continue from later.
    pub fn snapshot(&self) -> Snapshot {
        snapshot::save(&self.config, &self.state)
    }

    /// Continues from a snapshot.
    ///
    /// # Errors
    /// When it is not a snapshot of this version, was damaged, or was made with
    /// other options than thresholds and texts. Nothing has changed then.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Error> {
        self.replace_state(snapshot::load(&self.config, snapshot)?);
        Ok(())
    }

    fn replace_state(&mut self, state: State) {
        self.state = state;
        self.signals.clear();
        self.batch.close();
    }

    /// Records the call and leaves what the patterns say in `signals`.
    fn take_call(&mut self, call: &Call<'_>) {
        self.signals.clear();
        let Some((key, tool)) = self.tools.look_up(call.name, &self.config) else { return };
        let tables = &self.config.tables;
        let mut fingerprint =
            self.fingerprinter.take(*key, call.args, tool.class, &tool.ignored, tables);
        fingerprint.intent.is_polling |= tool.name_info.is_polling;
        fingerprint.intent.waits |= tool.name_info.waits;
        fingerprint.intent.is_message = tool.name_info.sends;
        if tool.class == ToolClass::Other && tool.name_info.reads {
            fingerprint.intent.effect = Effect::Read;
        }
        let identity = fingerprint.intent.normalized_hash;
        let state = &mut self.state;
        let index = state.calls;
        if !self.batch.is_open && !state.continues_turn() {
            state.begin_turn();
        }
        let equal_in_turn = state.turn.add(identity);
        let is_duplicate = equal_in_turn > 1;
        state.calls = index.saturating_add(1);
        state.recent.push(call.name);
        state.pending.push(PendingCall {
            id: call.id.map(|id| hash::bytes(id.as_bytes())),
            index,
            turn: state.turns,
            at: call.at,
            fingerprint,
            is_exempt: tool.exempt,
            is_duplicate,
            is_refused: false,
        });
        if tool.exempt {
            state.patterns.on_any_call();
            return;
        }
        let shown = match call.args {
            Args::Text(text) | Args::Key(text) => text.trim_ascii(),
            Args::None => "",
        };
        state.log.push(index, fingerprint.exact, call.name, shown);
        if let Args::Text(text) = call.args
            && fingerprint.intent.effect == Effect::Write
            && let Some(path) = self.fingerprinter.path(text)
        {
            state.log.set_target(path);
        }
        let outcomes = &mut state.outcomes;
        let looks_at_results = self.wanted.intents && !is_duplicate;
        let previous = match looks_at_results {
            true => outcomes.last_of(identity),
            false => None,
        };
        let expected = previous.map(|last| outcomes.expected(&last, call.at));
        let without_result = match looks_at_results && !outcomes.has_results {
            true => {
                let answered = Answered { index, called_at: call.at, at: call.at };
                Some(outcomes.add(answered, &fingerprint, &NO_RESULTS))
            }
            false => None,
        };
        let event = CallEvent {
            index,
            fingerprint: &fingerprint,
            threshold: tool.threshold,
            fuzzy_threshold: tool.fuzzy_threshold,
            is_duplicate,
            equal_in_turn,
            previous,
            expected,
            without_result,
        };
        let memory = Memory { calls: &state.log, outcomes: &state.outcomes };
        state.patterns.on_call(&event, &memory, &mut self.signals);
    }

    /// Records the result of a call and leaves what the patterns say in `signals`.
    fn take_result(&mut self, call: &PendingCall, result: &ToolResult<'_>) {
        let state = &mut self.state;
        // Looking through outputs costs time: not where no pattern asks for it.
        let read = match self.wanted.intents {
            true => {
                let logged = state.log.find(call.index);
                let called = CalledTool {
                    name: logged.map_or("", |call| &call.name),
                    args: logged.map_or("", |call| call.args()),
                    is_repeat: state
                        .outcomes
                        .last_of(call.fingerprint.intent.normalized_hash)
                        .is_some(),
                };
                classify_result(&call.fingerprint, called, result)
            }
            false => ReadResult { result: NO_RESULTS, body: "", error_line: "" },
        };
        let classified = read.result;
        // What we or the host answered in place of a tool is neither new nor a repeat.
        let is_evidence = self.wanted.intents
            && !call.is_duplicate
            && !call.is_refused
            && classified.evidence != Evidence::HostMade;
        if self.wanted.intents && !call.is_refused && !state.outcomes.has_results {
            // From the first result on, calls alone are no evidence.
            state.outcomes.has_results = true;
            state.outcomes.clear();
        }
        let outcome = is_evidence.then(|| {
            state.error_line.clear();
            state.error_line.push_str(first_characters(read.error_line, MAX_ERROR_LINE));
            let answered =
                Answered { index: call.index, called_at: call.at, at: result.at.or(call.at) };
            state.outcomes.add(answered, &call.fingerprint, &classified)
        });
        let event = ResultEvent {
            index: call.index,
            turn: call.turn,
            fingerprint: &call.fingerprint,
            failed: self.wanted.commands && failed(&call.fingerprint, result),
            is_unclear: self.wanted.commands && is_unclear_test_run(&call.fingerprint, result),
            threshold: self.tools.own_threshold(call.fingerprint.tool),
            result: classified,
            output: read.body,
            outcome,
        };
        let memory = Memory { calls: &state.log, outcomes: &state.outcomes };
        state.patterns.on_result(&event, &memory, &mut self.signals);
    }

    /// Takes note that the newest call will not run: a refused one is answered by
    /// us, and one at which the run is stopped is not answered at all.
    fn refuse(&mut self, action: Action) {
        if action < Action::Block {
            return;
        }
        if let Some(fingerprint) = self.state.pending.refuse_newest(action == Action::Stop) {
            self.state.outcomes.refuse(fingerprint.intent.normalized_hash);
        }
    }
}

impl BatchState {
    /// Closes the batch; its memory stays, so that the next one allocates nothing.
    fn close(&mut self) {
        self.is_open = false;
        self.newest = Verdict::default();
        self.hardest = Verdict::default();
    }
}

/// The different calls of one turn, and how often each was made.
#[derive(Default, Serialize, Deserialize)]
struct TurnCalls {
    calls: Vec<(u64, u32)>,
}

impl TurnCalls {
    /// Adds a call; tells how many equal ones the turn has so far.
    fn add(&mut self, call: u64) -> u32 {
        if let Some((_, count)) = self.calls.iter_mut().find(|(known, _)| *known == call) {
            *count = count.saturating_add(1);
            return *count;
        }
        if self.calls.len() < MAX_TURN_CALLS {
            self.calls.push((call, 1));
        }
        1
    }
}
