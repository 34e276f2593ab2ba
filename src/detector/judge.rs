//! From signals to a verdict: which rung each has reached, and what is said about it.

use super::LoopDetector;
use crate::config::{Climb, Rule};
use crate::escalation::Detection;
use crate::history::on_one_line;
use crate::patterns::Signal;
use crate::render::{Facts, render};
use crate::tools::{ToolClass, classify};
use crate::verdict::{Action, Status, Verdict};
use alloc::string::String;
use alloc::vec::Vec;

impl LoopDetector {
    /// Turns the signals into the latest verdict.
    pub(super) fn judge(&mut self) {
        // Nearly always there is nothing to say, and nothing was said before.
        if self.signals.is_empty() && self.state.verdict.kind.is_none() {
            return;
        }
        self.state.verdict = self.verdict_now();
    }

    pub(super) fn verdict_now(&mut self) -> Verdict {
        let mut verdict = Verdict::default();
        let mut spoken_of = None;
        let signals = core::mem::take(&mut self.signals);
        for signal in &signals {
            let candidate = self.verdict_on(signal);
            if is_harder(&candidate, &verdict) {
                verdict = candidate;
                spoken_of = Some(signal.loop_id);
            }
        }
        if let Some(loop_id) = spoken_of {
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
            // Scale the cooldown by the cycle length: leaving a cycle takes a full pass to show.
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
        // A call that ran cannot be refused.
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
            pattern.push(text.unit.clone());
            wasted = text.wasted;
        }
        let facts = Facts {
            tool: &on_one_line(tool.as_deref().unwrap_or_default()),
            count: signal.count,
            period: signal.period,
            wasted,
            pattern: &pattern,
            classes: &classes,
            files: signal.only_file_commands,
            recent: &self.state.recent.to_vec(),
            workers: 0,
            changed: &changed,
            quote: &on_one_line(&self.state.error_line),
            busy: signal.service_unavailable,
            rung: Some(rung),
            refused: action == Action::Block,
            channel: signal.text.as_ref().map_or("", |text| text.channel.name()),
        };
        let template = self.config.messages.get(signal.kind, rung.level);
        let message = render(template, &facts);
        Verdict {
            action,
            level: rung.level,
            kind: Some(signal.kind),
            status: Status::of(action, signal.kind),
            tool,
            count: signal.count,
            period: signal.period,
            pattern,
            since: signal.since,
            wasted: signal.wasted,
            message: Some(message),
            details: signal.text.clone(),
        }
    }
}

impl LoopDetector {
    /// The hardest action that the evidence allows: by the tool, by the pattern, or by
    /// the class of evidence.
    fn at_most(&self, rule: &Rule, signal: &Signal) -> Action {
        let newest = signal.calls.last().and_then(|index| self.state.log.find(*index));
        let tool = newest.and_then(|call| self.config.tool(&call.name)?.at_most);
        tool.or(rule.at_most).unwrap_or_else(|| self.config.at_most(signal.evidence))
    }
}

/// The later of two equally hard verdicts says more.
pub(super) fn is_harder(candidate: &Verdict, than: &Verdict) -> bool {
    candidate.kind.is_some() && (candidate.action, candidate.level) >= (than.action, than.level)
}
