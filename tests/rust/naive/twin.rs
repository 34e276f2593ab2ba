//! All patterns that look at results, with the escalation behind them: keeps every
//! event, and works everything out anew at each.

use super::escalation::{self, Detection, Judged};
use super::outcomes::{Outcome, looked_back_at};
use super::signal::Signal;
use super::tools::CALLS;
use super::transcript::{Event, Known, Now, replay};
use super::{Found, no_progress, oscillation, same_error, stale_cycle, variant};
use loophound::{Action, Config, Level, LoopKind};

/// What is said in the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Said {
    pub action: Action,
    pub level: Level,
    pub kind: LoopKind,
    pub found: Found,
}

pub struct Twin {
    config: Config,
    events: Vec<Event>,
    /// What was known when the last event was judged.
    pub known: Known,
    /// What was found at which event.
    log: Vec<(usize, Signal)>,
    /// What the escalation went by, since the last user message.
    pub judged: Vec<Judged>,
}

impl Twin {
    pub fn new(config: Config) -> Self {
        Self { config, events: vec![], known: Known::default(), log: vec![], judged: vec![] }
    }

    /// Something happened: what is said about it.
    pub fn happens(&mut self, event: Event) -> Option<Said> {
        if matches!(event, Event::UserMessage) {
            self.judged.clear();
        }
        self.events.push(event);
        let known = replay(&self.events, looked_back_at(&self.config));
        let mut hardest: Option<Said> = None;
        for signal in self.signals(&known) {
            let said = self.judge(&signal, &known);
            self.log.push((self.events.len() - 1, signal));
            if let Some(said) = said {
                let milder = |than: &Said| (than.action, than.level) > (said.action, said.level);
                hardest = Some(hardest.filter(milder).unwrap_or(said));
            }
        }
        self.known = known;
        if let Some(Event::Call { answer, .. }) = self.events.last_mut() {
            *answer = hardest.map_or(Action::Continue, |said| said.action);
        }
        hardest
    }

    /// Whether the last outcome was part of such a loop, or a call since.
    pub fn goes_on(&self, kind: LoopKind, known: &Known) -> bool {
        let Some(last) = known.recent().last() else { return false };
        self.log.iter().any(|(event, signal)| *event >= last.event && signal.kind == kind)
    }

    fn signals(&self, known: &Known) -> Vec<Signal> {
        let (all, config) = (known.recent(), &self.config);
        let found = match known.now {
            None => vec![],
            Some(Now::Call { index, call }) => {
                let going_on = self.goes_on(LoopKind::Cycle, known);
                vec![
                    no_progress::on_call(known, call, config),
                    stale_cycle::on_call(known, call, going_on, config),
                    variant::on_call(all, call, config),
                    same_error::on_call(all, call, config),
                    oscillation::on_call(all, index, call, config),
                ]
            }
            Some(Now::Outcome) if !known.has_results => {
                let before_it_runs = |signal: Signal| Signal { before_call: true, ..signal };
                vec![
                    no_progress::on_result(all, config).map(before_it_runs),
                    stale_cycle::on_result(all, config).map(before_it_runs),
                ]
            }
            Some(Now::Outcome) => vec![
                no_progress::on_result(all, config),
                stale_cycle::on_result(all, config),
                variant::on_result(all, config),
                same_error::on_result(all, config),
            ],
        };
        let on = |signal: &Signal| config.rule(signal.kind).is_some();
        found.into_iter().flatten().filter(on).collect()
    }

    fn judge(&mut self, signal: &Signal, known: &Known) -> Option<Said> {
        let rule = self.config.rule(signal.kind)?;
        let detection = Detection {
            about: format!("{} {}", signal.kind.name(), signal.about),
            calls: known.calls,
            turn: known.turns,
            new_info: known.outcomes.iter().filter(|one| Outcome::is_new_info(one)).count() as u64,
            cooldown: u64::from(rule.cooldown) * u64::from(signal.period.max(1)),
            before_call: signal.before_call,
            only_if_announced: signal.only_if_announced,
        };
        let mut judged = escalation::judge(&self.judged, detection, self.config.window.into())?;
        let rung = escalation::rung(&rule.rungs, judged.rank);
        // A check of changes is never refused: each change makes it a new one.
        let too_late = rung.action == Action::Block && !signal.before_call;
        judged.announces = too_late && !signal.changed;
        let action = escalation::action(rung, signal.before_call, judged.step);
        judged.spoken = action != Action::Continue;
        self.judged.push(judged);
        let Signal { kind, count, period, since, wasted, .. } = *signal;
        let found = Found { count, period, since, wasted };
        (action != Action::Continue).then_some(Said { action, level: rung.level, kind, found })
    }
}

/// The calls of the alphabet that need settings of their own, as options give them.
pub fn settings() -> Vec<(String, loophound::ToolSettings)> {
    let mut settings: Vec<(String, loophound::ToolSettings)> = vec![];
    for call in CALLS {
        let poll = match call.name {
            "polled" => Some(true),
            "unpolled_status" => Some(false),
            _ => None,
        };
        let own = loophound::ToolSettings {
            exempt: call.exempt,
            threshold: call.own_threshold,
            poll,
            ..Default::default()
        };
        settings.push((call.name.into(), own));
    }
    settings
}
