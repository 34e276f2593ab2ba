//! Calls that keep failing: those of one tool with one error or with two, and those of
//! all tools with one error.

use super::outcomes::Outcome;
use super::outputs::Evidence;
use super::signal::Signal;
use super::streak::{Breadth, breadth, count, has_nothing_new, is_loop, is_retry, is_reworded};
use super::tools::{Call, Effect};
use loophound::{Config, EvidenceClass, LoopKind};

type Kind = (&'static str, Effect);

/// Which failures are counted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Which {
    /// Failures of one tool with one error, and with any two.
    OneError(Kind),
    TwoErrors(Kind),
    /// Failures of all tools with one error; unavailable services share one error.
    AllTools,
    /// Failures of all tools without output.
    Silent,
}

/// The last failures that are counted together, oldest first, and whether something was
/// read since the first of them.
struct Streak<'a> {
    which: Which,
    run: Vec<&'a Outcome>,
    has_reads: bool,
}

/// Returns the error; busy and unreachable services share one.
fn error(outcome: &Outcome) -> Option<&'static str> {
    match outcome.evidence {
        Evidence::Infrastructure => Some("away"),
        _ => outcome.output?.error(),
    }
}

/// Returns whether failures of a call count: not for tests, which may fail, nor for polls,
/// which fail until something has happened.
fn counts(call: &Call) -> bool {
    !call.tests && !call.polls
}

/// Returns whether an outcome is an error. A read that fails without output found nothing:
/// that is an answer.
fn is_error(outcome: &Outcome) -> bool {
    let silent = outcome.output.is_none_or(|output| output.is_blank());
    outcome.failed() && !(outcome.call.effect == Effect::Read && silent)
}

impl<'a> Streak<'a> {
    fn find(all: &'a [Outcome], which: Which) -> Self {
        let wrote = |one: &Outcome| one.call.effect == Effect::Write && !one.failed();
        let from = all.iter().rposition(wrote).map_or(0, |at| at + 1);
        let mut streak = Self { which, run: vec![], has_reads: false };
        for one in all[from..].iter().filter(|one| counts(one.call)) {
            streak.take(one);
        }
        streak
    }

    fn take(&mut self, one: &'a Outcome) {
        let is_unavailable = one.evidence == Evidence::Infrastructure;
        let is_own = match self.which {
            Which::OneError(kind) | Which::TwoErrors(kind) => one.call.kind() == kind,
            Which::AllTools | Which::Silent => true,
        };
        if !is_error(one) {
            self.has_reads |= one.call.effect == Effect::Read && !one.failed();
            if is_own {
                self.end();
            }
            return;
        }
        let belongs = match self.which {
            Which::OneError(_) => is_own && !is_unavailable && error(one).is_some(),
            Which::TwoErrors(_) => is_own && !is_unavailable,
            Which::AllTools => error(one).is_some(),
            Which::Silent => error(one).is_none(),
        };
        if !belongs {
            return;
        }
        let mut errors: Vec<&str> = vec![];
        for error in self.run.iter().filter_map(|one| error(one)) {
            if !errors.contains(&error) {
                errors.push(error);
            }
        }
        let goes_on = match self.which {
            Which::OneError(_) | Which::AllTools => {
                self.run.last().is_none_or(|last| error(last) == error(one))
            }
            // Errors of edits quote the text that was not found, so each differs.
            Which::TwoErrors(_) if one.call.effect == Effect::Write => true,
            Which::TwoErrors(_) => {
                errors.len() < 2 || error(one).is_some_and(|error| errors[..2].contains(&error))
            }
            Which::Silent => true,
        };
        if !goes_on {
            self.end();
        }
        if self.run.is_empty() {
            self.has_reads = false;
        }
        self.run.push(one);
    }

    fn end(&mut self) {
        self.run.clear();
    }

    /// Returns what kind of evidence it is, if it is a loop; the newest or next call has
    /// this effect.
    fn judge(&self, all: &[Outcome], effect: Effect, config: &Config) -> Option<EvidenceClass> {
        let patience = &config.patience;
        let last = self.run.last()?;
        let is_unavailable = last.evidence == Evidence::Infrastructure;
        let of_one_tool = matches!(self.which, Which::OneError(_) | Which::TwoErrors(_));
        let is_mixed = is_unavailable || matches!(self.which, Which::TwoErrors(_) | Which::Silent);
        let proof = match has_nothing_new(&self.run) {
            true => EvidenceClass::Duplicate,
            false => EvidenceClass::Sweep,
        };
        let threshold = config.rule(LoopKind::SameError)?.threshold;
        let (least, evidence) = match breadth(&self.run) {
            _ if is_retry(all, &self.run) => (patience.infrastructure * 2, EvidenceClass::Waiting),
            // Guesses at one thing come back to words of earlier ones.
            Breadth::NamedSweep if is_reworded(&self.run) => {
                (patience.sweep / 2, EvidenceClass::Sweep)
            }
            Breadth::NamedSweep => (patience.sweep, EvidenceClass::Sweep),
            Breadth::Sweep if is_unavailable => (patience.sweep, EvidenceClass::Sweep),
            Breadth::OneTarget if of_one_tool && effect == Effect::Write && !self.has_reads => {
                (patience.failing_edits, EvidenceClass::Duplicate)
            }
            _ if is_mixed => (patience.mixed_errors, EvidenceClass::Sweep),
            Breadth::Sweep => (threshold, EvidenceClass::Sweep),
            Breadth::OneTarget => (threshold, proof),
        };
        let evidence = if is_unavailable { EvidenceClass::Waiting } else { evidence };
        is_loop(&self.run, least).then_some(evidence)
    }

    fn signal(&self, evidence: EvidenceClass, count: u32) -> Signal {
        let last = self.run[self.run.len() - 1];
        let about = match self.which {
            Which::OneError(_) | Which::AllTools => format!("{:?} {:?}", self.which, error(last)),
            Which::TwoErrors(_) | Which::Silent => format!("{:?}", self.which),
        };
        Signal {
            evidence,
            period: 0,
            since: Some(self.run[0].index),
            ..Signal::new(LoopKind::SameError, about, count, last.index)
        }
    }
}

/// Judges one more call of the kind before it is made.
pub fn on_call(all: &[Outcome], index: u64, call: &Call, config: &Config) -> Option<Signal> {
    if !counts(call) {
        return None;
    }
    let mut longest: Option<(Streak, EvidenceClass)> = None;
    let mut of_kind = [Which::TwoErrors(call.kind()), Which::OneError(call.kind())]
        .map(|which| Streak::find(all, which));
    // Of two equally long streaks, the more recent one counts.
    of_kind.sort_by_key(|streak| streak.run.last().map(|one| one.event));
    for streak in of_kind {
        if let Some(evidence) = streak.judge(all, call.effect, config)
            && longest.as_ref().is_none_or(|(other, _)| count(&streak.run) >= count(&other.run))
        {
            longest = Some((streak, evidence));
        }
    }
    let (streak, evidence) = longest?;
    Some(Signal {
        before_call: true,
        is_repeat: false,
        newest: index,
        ..streak.signal(evidence, count(&streak.run) + 1)
    })
}

/// Judges the last of `all`, which is new.
pub fn on_result(all: &[Outcome], config: &Config) -> Option<Signal> {
    let this = all.last().filter(|this| counts(this.call) && is_error(this))?;
    let kind = this.call.kind();
    let which = match (this.evidence, error(this)) {
        (Evidence::Infrastructure, _) => vec![Which::AllTools],
        (_, Some(_)) => vec![Which::OneError(kind), Which::TwoErrors(kind), Which::AllTools],
        (_, None) => vec![Which::TwoErrors(kind), Which::Silent],
    };
    which.into_iter().find_map(|which| {
        let streak = Streak::find(all, which);
        let evidence = streak.judge(all, this.call.effect, config)?;
        Some(streak.signal(evidence, count(&streak.run)))
    })
}
