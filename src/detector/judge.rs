//! From signals to a verdict: which rung each has reached, and what is said about it.

use super::LoopDetector;
use crate::config::Climb;
use crate::escalation::{self, DetectionContext};
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
        let signals = core::mem::take(&mut self.signals);
        for signal in &signals {
            let candidate = self.verdict_on(signal);
            if is_harder(&candidate, &verdict) {
                verdict = candidate;
            }
        }
        if verdict.kind.is_some() {
            self.state.last_warning = (self.clock)();
        }
        self.signals = signals;
        self.signals.clear();
        verdict
    }

    fn verdict_on(&mut self, signal: &Signal) -> Verdict {
        let Some(rule) = self.config.rule(signal.kind) else { return Verdict::default() };
        let now = DetectionContext {
            call: self.state.calls,
            turn: self.state.turns,
            new_info: self.state.outcomes.new_info(),
            memory: self.config.window.into(),
            // Scale the cooldown by the cycle length: leaving a cycle takes a full pass to show.
            cooldown: u64::from(rule.cooldown) * u64::from(signal.period.max(1)),
            before_call: signal.before_call,
            only_if_announced: signal.only_if_announced,
        };
        let rank = self.state.escalation.rank(rule.climb, signal.loop_id, signal.count, now);
        let Some(rank) = rank else { return Verdict::default() };
        let value = rank.value.saturating_add(signal.rank_bonus);
        let first = if rule.climb == Climb::Count { u64::from(rule.threshold) } else { 0 };
        let Some(rung) = escalation::rung(&rule.rungs, value, first) else {
            return Verdict::default();
        };
        // A call that ran cannot be refused: the refusal of the next one is announced. A
        // check of written changes is never refused: each change makes it a new one.
        let action = match rung.action {
            Action::Block if rule.results && !signal.before_call => {
                if !signal.written_between {
                    self.state.escalation.announce(signal.loop_id);
                }
                Action::Nudge
            }
            action => action,
        };
        if rank.is_cooling_down && action == Action::Nudge {
            return Verdict::default();
        }
        self.state.escalation.note_message(now);
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
            (true, Some(since)) => self.state.log.written_between(since, now.call),
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

/// The later of two equally hard verdicts says more.
pub(super) fn is_harder(candidate: &Verdict, than: &Verdict) -> bool {
    candidate.kind.is_some() && (candidate.action, candidate.level) >= (than.action, than.level)
}
