//! All patterns that look at results, with the ladder behind them: keeps every
//! event, and works everything out anew at each.

use super::alphabet::{CALLS, Call, Worth};
use super::ladder::{self, Detection};
use super::transcript::{Event, Known, Now, replay};
use super::{Found, exchanges, no_progress, oscillation, rounds, same_error, variant};
use loophound::{Action, Config, Level, LoopKind};

/// A pattern was recognised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signal {
    pub kind: LoopKind,
    /// Which loop it is.
    pub about: String,
    pub count: u64,
    pub period: u32,
    pub since: Option<u64>,
    pub wasted: u64,
    /// The call has not run yet.
    pub refusable: bool,
}

/// What is said in the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Said {
    pub action: Action,
    pub level: Level,
    pub kind: LoopKind,
    pub found: Found,
}

/// How many repeats make a loop.
pub fn needed(config: &Config, kind: LoopKind, call: &Call, worth: Worth) -> u32 {
    let threshold = config.rule(kind).map_or(0, |rule| rule.threshold);
    let patience = match worth {
        _ if call.waits => config.patience.poll,
        Worth::Evidence => threshold,
        Worth::Infrastructure => config.patience.infrastructure,
        Worth::Acknowledgement | Worth::Unknown | Worth::Unheard => config.patience.unsure,
    };
    call.own_threshold.unwrap_or(patience.max(threshold))
}

pub struct Twin {
    config: Config,
    pub events: Vec<Event>,
    /// What was found at which event.
    log: Vec<(usize, Signal)>,
    /// What the ladder went by, since the last user message.
    detections: Vec<Detection>,
}

impl Twin {
    pub fn new(config: Config) -> Self {
        Self { config, events: vec![], log: vec![], detections: vec![] }
    }

    /// What is known after all events so far.
    pub fn known(&self) -> Known {
        replay(&self.events)
    }

    /// Something happened: what is said about it.
    pub fn happens(&mut self, event: Event) -> Option<Said> {
        if matches!(event, Event::UserMessage) {
            self.detections.clear();
        }
        self.events.push(event);
        let signals = self.signals();
        let mut hardest: Option<Said> = None;
        for signal in signals {
            let said = self.judge(&signal);
            self.log.push((self.events.len() - 1, signal));
            if let Some(said) = said {
                let milder = |than: &Said| (than.action, than.level) > (said.action, said.level);
                hardest = Some(hardest.filter(milder).unwrap_or(said));
            }
        }
        if let Some(Event::Call { refused, .. }) = self.events.last_mut() {
            *refused = hardest.is_some_and(|said| said.action >= Action::Block);
        }
        hardest
    }

    /// Whether the last exchange was part of such a loop, or a call since.
    pub fn goes_on(&self, kind: LoopKind, known: &Known) -> bool {
        let Some(last) = known.recent().last() else { return false };
        self.log.iter().any(|(event, signal)| *event >= last.event && signal.kind == kind)
    }

    fn signals(&self) -> Vec<Signal> {
        let known = self.known();
        let (all, config) = (known.recent(), &self.config);
        let found = match known.now {
            None => vec![],
            Some(Now::Call { index, call }) => {
                let going_on = self.goes_on(LoopKind::Cycle, &known);
                vec![
                    no_progress::on_call(all, call, config),
                    rounds::on_call(all, index, call, going_on, config),
                    variant::on_call(all, call, config),
                    oscillation::on_call(all, index, call, config),
                ]
            }
            Some(Now::Exchange) if !known.heard => {
                let before_it_runs = |signal: Signal| Signal { refusable: true, ..signal };
                vec![
                    no_progress::on_result(all, config).map(before_it_runs),
                    rounds::on_result(all, config).map(before_it_runs),
                ]
            }
            Some(Now::Exchange) => vec![
                no_progress::on_result(all, config),
                rounds::on_result(all, config),
                variant::on_result(all, config),
                same_error::on_result(all, config),
            ],
        };
        let on = |signal: &Signal| config.rule(signal.kind).is_some();
        found.into_iter().flatten().filter(on).collect()
    }

    fn judge(&mut self, signal: &Signal) -> Option<Said> {
        let rule = self.config.rule(signal.kind)?;
        let known = replay(&self.events);
        self.detections.push(Detection {
            about: format!("{} {}", signal.kind.name(), signal.about),
            calls: known.calls,
            news: exchanges::news(&known, self.config.window),
            rest: u64::from(rule.cooldown) * u64::from(signal.period.max(1)),
        });
        let (height, resting) = ladder::height(&self.detections, self.config.window.into());
        let rung = ladder::rung(&rule.rungs, height);
        let action = ladder::action(rung, signal.refusable, resting);
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
