//! All result-aware patterns, with the escalation: keeps every event, and recomputes
//! everything at each.

use super::escalation::{self, Detection, Noted};
use super::outcomes::Outcome;
use super::signal::Signal;
use super::tools::CALLS;
use super::transcript::{Event, Known, Now, replay};
use super::{Found, no_progress, oscillation, same_error, stale_cycle, variant};
use loophound::{Action, Climb, Config, Level, LoopKind};

/// The final verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Said {
    pub action: Action,
    pub level: Level,
    pub kind: LoopKind,
    pub found: Found,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pattern {
    NoProgress,
    StaleCycle,
    Variant,
    GrowingRead,
    SameError,
    Oscillation,
    Parallel,
}

impl Pattern {
    fn kind(self) -> LoopKind {
        match self {
            Pattern::NoProgress | Pattern::Parallel => LoopKind::NoProgress,
            Pattern::StaleCycle => LoopKind::Cycle,
            Pattern::Variant | Pattern::GrowingRead => LoopKind::Variant,
            Pattern::SameError => LoopKind::SameError,
            Pattern::Oscillation => LoopKind::Oscillation,
        }
    }
}

/// What a pattern answered about an event.
struct Asked {
    event: usize,
    pattern: Pattern,
    /// Whether the event was an outcome, not a call that is about to be made.
    about_outcome: bool,
    spoke: bool,
}

pub struct Twin {
    config: Config,
    events: Vec<Event>,
    /// What was known when the last event was judged.
    pub known: Known,
    asked: Vec<Asked>,
    /// What the escalation is based on, since the last user message.
    noted: Vec<Noted>,
}

impl Twin {
    pub fn new(config: Config) -> Self {
        Self { config, events: vec![], known: Known::default(), asked: vec![], noted: vec![] }
    }

    /// Records an event; returns the verdict on it.
    pub fn happens(&mut self, event: Event) -> Option<Said> {
        if matches!(event, Event::UserMessage) {
            self.noted.clear();
        }
        self.events.push(event);
        let event = self.events.len() - 1;
        self.known = replay(&self.events, &self.config);
        let about_outcome = matches!(self.known.now, Some(Now::Outcome)) || !self.known.has_results;
        let mut hardest: Option<(Said, usize)> = None;
        for (pattern, signal) in self.signals() {
            self.asked.push(Asked { event, pattern, about_outcome, spoke: signal.is_some() });
            if let Some(said) = signal.and_then(|signal| self.judge(&signal)) {
                let is_harder = |(than, _): &_| is_harder(than, &said);
                hardest = Some(hardest.filter(is_harder).unwrap_or((said, self.noted.len())));
            }
        }
        let (said, noted) = hardest?;
        if let Some(noted) = noted.checked_sub(1) {
            self.noted[noted].said = Some(said.action);
        }
        if let Some(Event::Call { answer, .. }) = self.events.last_mut() {
            *answer = said.action;
        }
        Some(said)
    }

    /// Returns whether a pattern of this kind is going on right now.
    pub fn goes_on(&self, kind: LoopKind) -> bool {
        let patterns = [
            Pattern::NoProgress,
            Pattern::StaleCycle,
            Pattern::Variant,
            Pattern::GrowingRead,
            Pattern::SameError,
            Pattern::Oscillation,
            Pattern::Parallel,
        ];
        patterns.into_iter().any(|pattern| pattern.kind() == kind && self.is_active(pattern))
    }

    /// Returns whether a pattern signalled at the last outcome, or at a call since.
    fn is_active(&self, pattern: Pattern) -> bool {
        // After a compaction, reading again is legitimate.
        let from = match pattern {
            Pattern::Variant | Pattern::GrowingRead => self.known.compacted,
            _ => None,
        };
        let from = from.unwrap_or(self.known.restarted);
        let mut is_active = false;
        for asked in self.asked.iter().filter(|one| one.pattern == pattern && one.event >= from) {
            is_active = match pattern {
                _ if asked.about_outcome => asked.spoke,
                // These patterns judge a call before it runs.
                Pattern::Oscillation | Pattern::Parallel => asked.spoke,
                // A call that would continue a cycle may still leave it.
                Pattern::StaleCycle => is_active,
                _ => is_active || asked.spoke,
            };
        }
        is_active
    }

    /// Asks the enabled patterns, in their order.
    fn signals(&self) -> Vec<(Pattern, Option<Signal>)> {
        let (known, config) = (&self.known, &self.config);
        let all = known.recent();
        let before_it_runs = |signal: Signal| Signal { before_call: true, ..signal };
        let mut asked = match known.now {
            None => vec![],
            // Equal calls of one turn are one decision.
            Some(Now::Call { equal_in_turn: 2.., .. }) => vec![],
            Some(Now::Call { .. }) if !known.has_results => vec![
                (Pattern::NoProgress, no_progress::on_result(all, config).map(before_it_runs)),
                (Pattern::StaleCycle, stale_cycle::on_result(known, config).map(before_it_runs)),
            ],
            Some(Now::Call { index, call, at, .. }) => {
                let going_on = self.is_active(Pattern::StaleCycle);
                vec![
                    (Pattern::NoProgress, no_progress::on_call(known, index, call, at, config)),
                    (
                        Pattern::StaleCycle,
                        stale_cycle::on_call(known, index, call, going_on, config),
                    ),
                    (Pattern::Variant, variant::on_call(known, index, call, config)),
                    (Pattern::SameError, same_error::on_call(all, index, call, config)),
                    (Pattern::Oscillation, oscillation::on_call(all, index, call, config)),
                ]
            }
            Some(Now::Outcome) => vec![
                (Pattern::NoProgress, no_progress::on_result(all, config)),
                (Pattern::StaleCycle, stale_cycle::on_result(known, config)),
                (Pattern::Variant, variant::on_result(known, config)),
                (Pattern::GrowingRead, variant::growing_read(known, config)),
                (Pattern::SameError, same_error::on_result(all, config)),
                (Pattern::Oscillation, oscillation::on_result(all, config)),
            ],
        };
        if let Some(Now::Call { index, call, equal_in_turn, .. }) = known.now {
            let found = no_progress::parallel(index, call, equal_in_turn, config);
            asked.push((Pattern::Parallel, found));
        }
        // Only edits that are made can undo one another.
        let is_edit = match known.now {
            Some(Now::Call { call, .. }) => call.edit.is_some(),
            _ => all.last().is_some_and(|last| last.call.edit.is_some() && !last.failed()),
        };
        asked.retain(|(pattern, _)| {
            config.rule(pattern.kind()).is_some() && (*pattern != Pattern::Oscillation || is_edit)
        });
        asked
    }

    fn judge(&mut self, signal: &Signal) -> Option<Said> {
        let (known, config) = (&self.known, &self.config);
        let rule = config.rule(signal.kind)?;
        let is_logged = known.is_logged(signal.newest, config);
        let of_tool = self.call_number(signal.newest).filter(|_| is_logged);
        let of_tool = of_tool.and_then(|call| CALLS[call].at_most);
        let at_most = of_tool.or(rule.at_most).unwrap_or(config.at_most(signal.evidence));
        let detection = Detection {
            about: format!("{} {}", signal.kind.name(), signal.about),
            event: self.events.len() - 1,
            count: signal.count,
            calls: known.calls,
            turn: known.turns,
            new_info: known.outcomes.iter().filter(|one| Outcome::is_new_info(one)).count() as u64,
            cooldown: u64::from(rule.cooldown) * u64::from(signal.period.max(1)),
            before_call: signal.before_call,
            is_repeat: signal.is_repeat,
            at_most,
            memory: config.window.into(),
        };
        let rung = match rule.climb {
            Climb::Evidence => escalation::judge(&mut self.noted, &rule.rungs, &detection)?,
            // Every detection is reported.
            _ => rule.rungs[0],
        };
        let Signal { kind, count, period, since, wasted, .. } = *signal;
        let found = Found { count, period, since, wasted };
        Some(Said { action: rung.action, level: rung.level, kind, found })
    }

    /// Returns the call with this index.
    fn call_number(&self, number: u64) -> Option<usize> {
        let mut calls = self.events.iter().filter_map(|event| match event {
            Event::Call { call, .. } => Some(*call),
            _ => None,
        });
        calls.nth(number as usize)
    }
}

/// Returns whether the later of two verdicts is more severe; of equally severe ones, the
/// later counts.
pub fn is_harder(earlier: &Said, later: &Said) -> bool {
    (earlier.action, earlier.level) > (later.action, later.level)
}
