//! [`LoopDetector`]: runs each event through identity, history, patterns and escalation,
//! and decides what the host should do.

mod explain;
mod judge;
mod known_tools;
mod snapshot;
mod turn;

use crate::call::{Fingerprinter, Wanted, first_characters, without_arguments};
use crate::channel::Channel;
use crate::clock::Clock;
use crate::config::{Batch, Config, MAX_PERIOD};
use crate::error::Error;
use crate::escalation::Escalation;
use crate::event::{Args, Call, ToolResult};
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
pub use explain::{ExplainedCall, ExplainedLoop, ExplainedResult, Explanation};
use explain::{LatestCall, LatestEvent};
use judge::is_as_severe;
use known_tools::KnownTools;
use serde::{Deserialize, Serialize};
use turn::{BatchState, RefusedCall, TurnCalls};

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
    /// The threshold of the main rule.
    pub threshold: u32,
    /// The threshold for calls that agree only in their primary arguments.
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
    latest: LatestEvent,
}

/// What `reset` clears and snapshots save.
#[derive(Serialize, Deserialize)]
struct State {
    /// How many calls were recorded.
    calls: u64,
    /// How many turns these calls took, as far as batches and results show.
    turns: u64,
    /// The calls of the newest turn.
    turn: TurnCalls,
    /// The call that last changed the working directory; 0 if none did.
    directory: u64,
    log: CallLog,
    recent: RecentNames,
    pending: Pending,
    outcomes: OutcomeLog,
    patterns: Patterns,
    escalation: Escalation,
    /// The line that says what went wrong last; empty once that call succeeds.
    error_line: String,
    /// The call that the error line is about.
    error_call: u64,
    last_warning: u64,
    verdict: Verdict,
}

impl State {
    fn new(config: &Config) -> Self {
        Self {
            calls: 0,
            turns: 0,
            turn: TurnCalls::default(),
            directory: 0,
            log: CallLog::new(log_capacity(config)),
            recent: RecentNames::default(),
            pending: Pending::default(),
            outcomes: OutcomeLog::new(config.window),
            patterns: Patterns::new(config),
            escalation: Escalation::default(),
            error_line: String::new(),
            error_call: 0,
            last_warning: 0,
            verdict: Verdict::default(),
        }
    }

    /// Begins the next turn; reuses the buffer for its calls.
    fn begin_turn(&mut self) {
        self.turns = self.turns.saturating_add(1);
        self.turn.clear();
    }

    /// Returns whether a call belongs to the same turn as the previous call. If the host
    /// reports results, it does while the previous call has none. Many hosts report none for
    /// a refused call: after one, a call that this turn has already begins the next.
    fn continues_turn(&self, identity: u64) -> bool {
        let newest = self.pending.newest();
        let previous = newest.filter(|newest| self.calls.checked_sub(1) == Some(newest.index));
        self.outcomes.has_results
            && previous.is_some_and(|call| !call.is_refused || !self.turn.contains(identity))
    }

    /// Applies the options to state loaded from a snapshot; false if it is invalid.
    fn restore(&mut self, config: &Config) -> bool {
        if !config.quotes_output {
            self.error_line.clear();
        }
        let logs = self.log.restore(log_capacity(config), Some(self.calls))
            && self.outcomes.restore(config.window);
        let memory = Memory { calls: &self.log, outcomes: &self.outcomes };
        logs && self.recent.is_valid()
            && self.pending.is_valid()
            && self.patterns.restore(&memory, config)
            && self.escalation.is_valid()
            && first_characters(&self.error_line, MAX_ERROR_LINE).len() == self.error_line.len()
            && self.verdict.pattern.len() <= MAX_PATTERN
            && self.turn.is_valid()
    }
}

/// Returns one more than patterns look back, so that the call that leaves the window is
/// still known.
fn log_capacity(config: &Config) -> usize {
    config.window.max(config.max_period) as usize + 1
}

/// The longest pattern that a verdict shows: the longest cycle.
const MAX_PATTERN: usize = 2 * MAX_PERIOD as usize;

/// How much of an error line is quoted, in characters.
const MAX_ERROR_LINE: usize = 160;

impl Default for LoopDetector {
    /// Makes a detector with the default preset.
    fn default() -> Self {
        Self::build(Config::default())
    }
}

impl LoopDetector {
    /// Makes a detector with this configuration.
    ///
    /// # Errors
    ///
    /// If a value is not allowed; see [`Config::check`].
    pub fn new(config: Config) -> Result<Self, Error> {
        config.check()?;
        Ok(Self::build(config))
    }

    /// Makes a detector with a preset.
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
            latest: LatestEvent::default(),
        }
    }

    /// Uses another clock (milliseconds since 1970) for the time of the last warning.
    pub fn set_clock(&mut self, clock: impl Fn() -> u64 + Send + Sync + 'static) {
        self.clock = Box::new(clock);
    }

    /// Returns the configuration.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Records a tool call, before it runs.
    pub fn record<'a>(&mut self, name: &'a str, args: impl Into<Args<'a>>) -> &Verdict {
        self.record_call(&Call::new(name, args))
    }

    /// Records a tool call, before it runs; with an id, if it has one. Within a batch, the
    /// verdict is only about this call, or "continue" if calls are judged at the end of the
    /// batch.
    pub fn record_call(&mut self, call: &Call<'_>) -> &Verdict {
        self.take_call(call);
        if !self.batch.is_open {
            self.judge();
            if self.state.verdict.action >= Action::Block {
                let mut verdict = core::mem::take(&mut self.state.verdict);
                self.refuse(&mut verdict);
                self.state.verdict = verdict;
            }
            return &self.state.verdict;
        }
        self.batch.has_calls = true;
        // If the batch is judged at its end, only the signals of the last call are kept.
        let mut verdict = Verdict::default();
        if self.config.batch == Batch::Each {
            verdict = self.verdict_now();
            self.refuse(&mut verdict);
        }
        if is_as_severe(&verdict, &self.batch.most_severe) {
            self.batch.most_severe = verdict.clone();
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

    /// Ends the batch; returns the verdict on all of its calls.
    pub fn end_batch(&mut self) -> &Verdict {
        match self.config.batch {
            Batch::Each if self.batch.is_open => {
                self.state.verdict = core::mem::take(&mut self.batch.most_severe);
                if self.state.verdict.action == Action::Block && !self.config.observes {
                    self.state.verdict.calls.clear();
                    let refused = self.batch.refused.iter().map(|call| call.index);
                    self.state.verdict.calls.extend(refused);
                }
            }
            _ => {
                if self.batch.is_open && !self.batch.has_calls {
                    self.state.patterns.on_empty_batch(&mut self.signals);
                }
                self.judge();
            }
        }
        self.batch.close();
        &self.state.verdict
    }

    /// Records the result of a call. A result that belongs to no pending call is ignored.
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

    /// Records text as it streams. A call, a new turn, a whole turn of text or a user
    /// message ends the stream.
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

    /// Records a message from a person: all counts restart, and every loop starts at its
    /// first rung.
    pub fn user_message(&mut self) {
        self.restart();
        self.latest = LatestEvent::default();
        self.state.escalation.reset();
    }

    /// Records that the nudge was delivered: all counts restart, and with
    /// [`Climb::Feedback`](crate::Climb::Feedback) the next detection is one rung higher.
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

    /// Records that the model's context was compacted: it may look at everything once more.
    /// Escalation and failures stay.
    pub fn context_compacted(&mut self) {
        self.state.outcomes.forget_successes();
        self.state.patterns.on_compaction();
    }

    /// Returns whether the agent is in a loop right now.
    pub fn is_stuck(&self) -> bool {
        self.state.patterns.is_stuck()
    }

    /// Returns the latest verdict.
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

    /// Returns how many calls were recorded.
    pub fn call_count(&self) -> u64 {
        self.state.calls
    }

    /// Returns the last five tool names, newest last.
    pub fn recent_names(&self) -> Vec<String> {
        self.state.recent.to_vec()
    }

    /// Raises the iteration cap; returns by how much.
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
    ///
    /// If it is not a snapshot of this version, is damaged, or was made with
    /// different options; only thresholds and texts may differ. The detector is unchanged
    /// then.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Error> {
        self.replace_state(snapshot::load(&self.config, snapshot)?);
        Ok(())
    }

    fn replace_state(&mut self, state: State) {
        self.state = state;
        self.latest = LatestEvent::default();
        self.signals.clear();
        self.batch.close();
    }

    /// Records the call and puts the patterns' signals into `signals`.
    fn take_call(&mut self, call: &Call<'_>) {
        self.signals.clear();
        let Some((key, tool)) = self.tools.look_up(call.name, &self.config) else { return };
        let tables = &self.config.tables;
        let mut fingerprint =
            self.fingerprinter.take(*key, call.args, tool.class, &tool.ignored, tables);
        fingerprint.intent.is_polling |= tool.name_info.is_polling;
        fingerprint.intent.lets_time_pass |= tool.name_info.lets_time_pass;
        fingerprint.intent.is_message = tool.name_info.sends;
        fingerprint.intent.is_plan = tool.name_info.plans;
        fingerprint.changes_directory |= tool.name_info.changes_directory;
        if tool.class == ToolClass::Other && tool.name_info.reads {
            fingerprint.intent.effect = Effect::Read;
        }
        let state = &mut self.state;
        if fingerprint.is_shell && !fingerprint.changes_directory && state.directory != 0 {
            // The same command in another directory is another call.
            let identity = &mut fingerprint.intent.normalized_hash;
            *identity = hash::pair(*identity, state.directory);
        }
        let identity = fingerprint.intent.normalized_hash;
        let index = state.calls;
        if !self.batch.is_open && !state.continues_turn(identity) {
            state.begin_turn();
        }
        let equal_in_turn = state.turn.add(identity);
        let is_duplicate = equal_in_turn > 1;
        self.latest.outcome = None;
        self.latest.call = Some(LatestCall {
            index,
            turn: state.turns,
            identity,
            effect: fingerprint.intent.effect,
            refused: false,
        });
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
        let shown = match (call.shown, call.args) {
            (Some(shown), _) => shown,
            (None, Args::Text(text) | Args::Key(text)) => text,
            (None, Args::None) => "",
        };
        let without_ignored = match tool.ignored.is_empty() {
            true => None,
            false => without_arguments(shown, &tool.ignored),
        };
        let shown = without_ignored.as_deref().unwrap_or(shown).trim_ascii();
        state.log.push(index, fingerprint.exact, call.name, shown);
        if let (Args::Text(text), None) = (call.args, call.shown)
            && fingerprint.intent.effect == Effect::Write
            && let Some(path) = self.fingerprinter.path(text, &tool.ignored)
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
            previous: previous.as_ref(),
            expected: expected.as_ref(),
            without_result: without_result.as_ref(),
        };
        let memory = Memory { calls: &state.log, outcomes: &state.outcomes };
        state.patterns.on_call(&event, &memory, &mut self.signals);
    }

    /// Records the result of a call and puts the patterns' signals into `signals`.
    fn take_result(&mut self, call: &PendingCall, result: &ToolResult<'_>) {
        let state = &mut self.state;
        // Classifying outputs takes time, so it is done only if a pattern needs it.
        let read = match self.wanted.intents {
            true => {
                let logged = state.log.find(call.index);
                let called = CalledTool {
                    name: logged.map_or("", |call| &call.name),
                    args: logged.map_or("", |call| call.args()),
                    is_repeat: state.outcomes.knows(call.fingerprint.intent.normalized_hash),
                };
                classify_result(&call.fingerprint, called, result)
            }
            false => ReadResult { result: NO_RESULTS, body: "", error_line: "" },
        };
        let classified = read.result;
        // A refusal or a result made by the host is neither new nor a repeat.
        let is_evidence = self.wanted.intents
            && !call.is_duplicate
            && !call.is_refused
            && classified.evidence != Evidence::HostMade;
        let is_real = !call.is_duplicate && !call.is_refused;
        if self.wanted.intents && is_real && !state.outcomes.has_results {
            // From the first result on, calls alone are not evidence.
            state.outcomes.has_results = true;
            state.outcomes.clear();
        }
        let outcome = is_evidence.then(|| {
            let identity = call.fingerprint.intent.normalized_hash;
            if classified.failed || state.error_call == identity {
                state.error_line.clear();
                if self.config.quotes_output {
                    let line = first_characters(read.error_line, MAX_ERROR_LINE);
                    state.error_line.push_str(line);
                }
                state.error_call = identity;
            }
            let answered =
                Answered { index: call.index, called_at: call.at, at: result.at.or(call.at) };
            state.outcomes.add(answered, &call.fingerprint, &classified)
        });
        if call.fingerprint.changes_directory && outcome.is_some_and(|outcome| !outcome.failed) {
            state.directory = call.fingerprint.intent.normalized_hash;
        }
        self.latest.outcome = outcome;
        self.latest.call = Some(LatestCall {
            index: call.index,
            turn: call.turn,
            identity: call.fingerprint.intent.normalized_hash,
            effect: call.fingerprint.intent.effect,
            refused: call.is_refused,
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
            outcome: outcome.as_ref(),
        };
        let memory = Memory { calls: &state.log, outcomes: &state.outcomes };
        state.patterns.on_result(&event, &memory, &mut self.signals);
    }

    /// Records that the newest call will not run, if that is the verdict: the result of a
    /// refused call will be the refusal, and after a stop no result comes. A call equal to
    /// a refused one of the same batch is refused as well.
    fn refuse(&mut self, verdict: &mut Verdict) {
        let Some(newest) = self.state.pending.newest() else { return };
        let identity = newest.fingerprint.intent.normalized_hash;
        let call = RefusedCall { index: newest.index, identity };
        let is_refused = verdict.action >= Action::Block;
        // If equal calls of a turn count as one, this call is refused with the first.
        let equals_refused = self.wanted.intents
            && self.batch.refused.iter().any(|refused| refused.identity == identity);
        if verdict.action == Action::Block {
            verdict.calls.clear();
            verdict.calls.push(call.index);
        }
        if self.config.observes || !is_refused && !equals_refused {
            return;
        }
        self.state.pending.refuse_newest(verdict.action == Action::Stop);
        if is_refused {
            self.state.outcomes.refuse(identity);
        }
        if let Some(latest) = &mut self.latest.call {
            latest.refused = true;
        }
        if self.batch.is_open {
            self.batch.refused.push(call);
        }
    }
}
