//! Turns signals into a verdict: which rung each loop has reached, and what the host is
//! told.

use super::LoopDetector;
use super::explain::ExplainedLoop;
use crate::concat::cat;
use crate::config::{Climb, RecognisedBy, Rule, Topic, summary};
use crate::escalation::Detection;
use crate::history::OutcomeFacts;
use crate::patterns::Signal;
use crate::quote::defuse;
use crate::render::{Facts, render};
use crate::result::{Evidence, EvidenceClass, Problem};
use crate::tools::{Effect, ToolClass, classify};
use crate::verdict::{Action, LoopKind, Status, Verdict};
use alloc::string::String;
use alloc::vec::Vec;

impl LoopDetector {
    /// Turns the signals into the latest verdict.
    pub(super) fn judge(&mut self) {
        self.latest.loops.clear();
        // The usual case: there is nothing to report, and there was nothing before.
        if self.signals.is_empty() && self.state.verdict.kind.is_none() {
            return;
        }
        self.state.verdict = self.verdict_now();
    }

    pub(super) fn verdict_now(&mut self) -> Verdict {
        let mut verdict = Verdict::default();
        let mut reported_loop = None;
        let signals = core::mem::take(&mut self.signals);
        for signal in &signals {
            let candidate = self.verdict_on(signal);
            self.latest.loops.extend(self.config.rule(signal.kind).map(|rule| ExplainedLoop {
                kind: signal.kind,
                evidence: signal.evidence,
                at_most: self.at_most(rule, signal),
                action: candidate.action,
            }));
            if is_as_severe(&candidate, &verdict) {
                verdict = candidate;
                reported_loop = Some(signal.loop_id);
            }
        }
        if let Some(loop_id) = reported_loop {
            let (action, count) = (verdict.action, verdict.count);
            self.state.escalation.note_verdict(loop_id, action, count, self.state.turns);
            self.state.last_warning = (self.clock)();
        }
        self.signals = signals;
        self.signals.clear();
        verdict
    }

    fn verdict_on(&mut self, signal: &Signal) -> Verdict {
        let Some(rule) = self.config.rule(signal.kind) else { return Verdict::default() };
        let found = Detection {
            loop_id: signal.loop_id,
            count: signal.count,
            call: self.state.calls,
            turn: self.state.turns,
            new_info: self.state.outcomes.new_info(),
            memory: self.config.window.into(),
            // Scales the cooldown by the cycle length: it takes a full pass to see that a
            // cycle ended.
            cooldown: u64::from(rule.cooldown) * u64::from(signal.period.max(1)),
            before_call: signal.before_call,
            is_repeat: signal.is_repeat,
            rank_bonus: signal.rank_bonus,
            first: if rule.climb == Climb::Count { u64::from(rule.threshold) } else { 0 },
            at_most: self.at_most(rule, signal),
        };
        let Some(rung) = self.state.escalation.decide(rule.climb, &rule.rungs, &found) else {
            return Verdict::default();
        };
        // A call that already ran cannot be refused.
        let action = match rung.action {
            Action::Block if rule.results && !signal.before_call => Action::Nudge,
            action => action,
        };
        let mut pattern: Vec<String> = Vec::new();
        let mut classes: Vec<ToolClass> = Vec::new();
        let mut tool = None;
        for index in &signal.calls {
            let Some(call) = self.state.log.find(*index) else { continue };
            pattern.push(call.label());
            let own = self.config.tool(&call.name).and_then(|tool| tool.class);
            classes.push(own.unwrap_or_else(|| classify(&call.name)));
            tool = Some(call.name.clone());
        }
        let changed = match (signal.written_between, signal.since) {
            (true, Some(since)) => self.state.log.written_between(since, found.call),
            _ => Vec::new(),
        };
        let mut wasted = signal.wasted;
        if let Some(text) = &signal.text {
            pattern.push(defuse(&text.unit));
            wasted = text.wasted;
        }
        let recognised_by = match signal.evidence {
            EvidenceClass::CallsOnly => RecognisedBy::CallsOnly,
            _ => signal.recognised_by,
        };
        let mut facts = Facts {
            tool: tool.as_deref().unwrap_or_default(),
            count: signal.count,
            period: signal.period,
            wasted,
            pattern: &pattern,
            alternatives: &self.alternatives(signal, &classes),
            only_file_commands: signal.only_file_commands,
            recent: &self.state.recent.to_vec(),
            workers: 0,
            changed: &changed,
            quote: self.quote_about(signal),
            action,
            before_call: signal.before_call,
            failed: signal.outcome.is_some_and(|outcome| outcome.failed),
            summary: "",
            channel: signal.text.as_ref().map_or("", |text| text.channel.name()),
            recognised_by,
        };
        let summary = render(summary(signal.kind, recognised_by), &facts);
        facts.summary = &summary;
        let message = render(self.config.messages.get(signal.kind, rung.level), &facts);
        let full_summary = cat(&[&summary, facts.outcome_for_people()]);
        Verdict {
            action,
            level: rung.level,
            kind: Some(signal.kind),
            status: Status::of(action, signal.kind),
            tool,
            count: signal.count,
            period: signal.period,
            pattern,
            calls: signal.calls.clone(),
            since: signal.since,
            wasted: signal.wasted,
            message: Some(message),
            summary: Some(full_summary),
            details: signal.text.clone(),
        }
    }

    /// Returns the most severe action that is allowed for the tool, for the pattern, or for
    /// the class of evidence.
    fn at_most(&self, rule: &Rule, signal: &Signal) -> Action {
        let newest = signal.calls.last().and_then(|index| self.state.log.find(*index));
        let tool = newest.and_then(|call| self.config.tool(&call.name)?.at_most);
        tool.or(rule.at_most).unwrap_or_else(|| self.config.at_most(signal.evidence))
    }

    /// Returns the line that says what went wrong, if it is about the calls of this loop.
    fn quote_about(&self, signal: &Signal) -> &str {
        let is_about = signal.outcome.is_some_and(|outcome| outcome.call == self.state.error_call);
        if is_about { &self.state.error_line } else { "" }
    }

    /// Returns what to do instead: by the problem of the calls or, if that is unknown, one
    /// text for each kind of tool.
    fn alternatives(&self, signal: &Signal, classes: &[ToolClass]) -> String {
        let mut topics: Vec<Topic> = Vec::new();
        match topic_of(signal, classes.last().copied().unwrap_or_default()) {
            Some(topic) => topics.push(topic),
            None => topics.extend(classes.iter().map(|class| topic_of_class(*class))),
        }
        if topics.iter().all(|topic| topic.adds_general_advice()) {
            topics.push(Topic::Other);
        }
        let mut out = String::new();
        let mut said: Vec<Topic> = Vec::new();
        for topic in topics {
            if said.contains(&topic) {
                continue;
            }
            if !out.is_empty() {
                out.push('\n');
            }
            out.push_str(self.config.advice.get(topic));
            said.push(topic);
        }
        out
    }
}

/// What the calls of a loop ran into, as far as their results say.
fn topic_of(signal: &Signal, class: ToolClass) -> Option<Topic> {
    if signal.kind == LoopKind::Oscillation {
        return Some(Topic::Undone);
    }
    let outcome = signal.outcome?;
    Some(match signal.evidence {
        _ if outcome.evidence == Evidence::Infrastructure => Topic::Unavailable,
        _ if signal.recognised_by == RecognisedBy::CallsOnly => return None,
        EvidenceClass::CallsOnly => return None,
        EvidenceClass::Waiting => Topic::Polling,
        _ if signal.written_between => Topic::NoEffect,
        _ if outcome.failed || signal.kind == LoopKind::SameError => {
            topic_of_failure(signal, &outcome)
        }
        EvidenceClass::Sweep => Topic::Sweep,
        _ if outcome.problem == Problem::NothingFound => Topic::NothingFound,
        _ => match outcome.effect {
            Effect::Read if class == ToolClass::Search => Topic::Search,
            Effect::Read => Topic::Read,
            Effect::Write => Topic::Edit,
            Effect::Execute if signal.evidence == EvidenceClass::Acknowledgement => {
                Topic::Acknowledged
            }
            Effect::Execute => Topic::SameOutput,
        },
    })
}

/// What failing calls ran into. The newest error does not speak for different ones.
fn topic_of_failure(signal: &Signal, outcome: &OutcomeFacts) -> Topic {
    let is_mixed = signal.recognised_by == RecognisedBy::MixedErrors;
    match outcome.problem {
        Problem::FailingTest => Topic::FailingTest,
        Problem::MissingFile if !is_mixed => Topic::MissingFile,
        Problem::MissingProgram if !is_mixed => Topic::MissingProgram,
        Problem::Denied if !is_mixed => Topic::Denied,
        _ if outcome.effect == Effect::Write && !outcome.is_shell => Topic::FailingEdit,
        _ if signal.evidence == EvidenceClass::Sweep && !is_mixed => Topic::Sweep,
        _ => Topic::Failing,
    }
}

fn topic_of_class(class: ToolClass) -> Topic {
    match class {
        ToolClass::Shell => Topic::Shell,
        ToolClass::Edit => Topic::Edit,
        ToolClass::Write => Topic::Write,
        ToolClass::Read => Topic::Read,
        ToolClass::Search => Topic::Search,
        ToolClass::Test => Topic::Test,
        ToolClass::Other => Topic::Other,
    }
}

/// Returns whether a later verdict replaces an earlier one: it is as severe, or more.
pub(super) fn is_as_severe(candidate: &Verdict, other: &Verdict) -> bool {
    candidate.kind.is_some() && (candidate.action, candidate.level) >= (other.action, other.level)
}
