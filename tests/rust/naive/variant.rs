//! Calls of one tool, each similar to the previous one, all with the same result; and reads
//! of one file that begin at the same place.

use super::outcomes::Outcome;
use super::outputs::Evidence;
use super::signal::Signal;
use super::streak::{Breadth, breadth, count, has_nothing_new, is_loop, is_reworded, words_of};
use super::tools::{Call, Effect};
use super::transcript::Known;
use loophound::{Config, EvidenceClass, LoopKind};

/// How many percent of its words a rewording shares with the earlier calls, at least.
const REWORDING: usize = 50;

/// Judges one more call of the kind before it is made.
pub fn on_call(known: &Known, index: u64, call: &Call, config: &Config) -> Option<Signal> {
    let run = run(known, call.kind(), config);
    let last = run.last()?;
    let percent = likeness(call.effect == Effect::Read, config);
    let is_variant = !last.call.is_same(call) && last.call.is_like(call, percent);
    if !is_variant || call.polls || has_new_targets(call, last.call) {
        return None;
    }
    let evidence = judge(&run, config)?;
    let count = count(&run) + 1;
    Some(Signal {
        evidence,
        before_call: true,
        is_repeat: false,
        newest: index,
        ..signal(&run, count)
    })
}

/// Judges the last of the outcomes, which is new.
pub fn on_result(known: &Known, config: &Config) -> Option<Signal> {
    let this = known.recent().last().filter(|this| counts(this))?;
    let run = run(known, this.call.kind(), config);
    let evidence = judge(&run, config)?;
    Some(Signal { evidence, ..signal(&run, count(&run)) })
}

/// Returns whether an outcome counts. "ok" after each of many calls is work, unless each is
/// a message.
fn counts(outcome: &Outcome) -> bool {
    let says_something = match outcome.evidence {
        Evidence::Informative | Evidence::Empty => true,
        Evidence::Acknowledgement => outcome.call.message,
        _ => false,
    };
    says_something && !outcome.call.polls
}

/// Returns the last calls of a kind that are similar and returned the same, oldest first.
/// After a write or a compaction, the streak starts over.
fn run<'k>(known: &'k Known, kind: (&str, Effect), config: &Config) -> Vec<&'k Outcome> {
    let recent = &known.recent()[known.since_compaction()..];
    let from = recent.iter().rposition(Outcome::is_acknowledged_write).map_or(0, |at| at + 1);
    let mut run: Vec<&Outcome> = vec![];
    for one in recent[from..].iter().filter(|one| counts(one) && one.call.kind() == kind) {
        if !run.is_empty() && !continues(&run, one, config) {
            run.clear();
        }
        run.push(one);
    }
    run
}

/// Returns the answer. Replies to messages are the same if their words are, and so are
/// sentences that say that nothing was found.
fn answer(outcome: &Outcome) -> (Option<&'static str>, bool, bool) {
    let acknowledged = outcome.evidence == Evidence::Acknowledgement;
    let answer = match outcome.output {
        Some(_) if acknowledged => outcome.words(),
        Some(output) if outcome.call.message && !outcome.failed() => output.words(),
        Some(output) if output.negative && output.has_letters() && !outcome.failed() => {
            output.words()
        }
        _ => outcome.result().0,
    };
    (answer, outcome.failed(), acknowledged)
}

/// Returns what a read answers: nothing, the lines of a list without their numbers, or the
/// text around the longest part of the call between quotation marks.
fn answer_to_question(outcome: &Outcome) -> Option<Vec<String>> {
    let (call, output) = (outcome.call, outcome.output?);
    let text = output.text?;
    if call.effect != Effect::Read || call.shell || outcome.failed() {
        return None;
    }
    let is_sentence = output.has_letters() && text.len() <= 160 && !text.starts_with('{');
    if is_sentence && output.negative && !output.has_problems {
        return Some(vec![]);
    }
    let question = call.exact().1.split('"').max_by_key(|part| part.len())?;
    let echo = text.split_once(question).filter(|_| question.len() >= 4);
    let (before, after) = echo.unwrap_or((text, ""));
    if text.lines().count() < 3 {
        return echo.map(|_| vec![before.to_string(), after.to_string()]);
    }
    let numbered = |line: &str| line.trim_start_matches(|c: char| c.is_ascii_digit()).to_string();
    let mut lines: Vec<String> = before.lines().chain(after.lines()).map(numbered).collect();
    lines.sort();
    Some(lines)
}

/// Returns whether one more call is a variant of the earlier ones.
fn continues(run: &[&Outcome], this: &Outcome, config: &Config) -> bool {
    let (last, call) = (run[run.len() - 1], this.call);
    let reads = call.effect == Effect::Read;
    let is_negative = this.output.is_none_or(|output| output.negative);
    let is_long = this.output.is_some_and(|output| output.is_long());
    let is_alike = |strict| call.is_like(last.call, likeness(strict, config));
    let said = answer_to_question(this);
    let is_same =
        answer(last) == answer(this) || said.is_some() && said == answer_to_question(last);
    if !is_same || call.tests && !this.failed() {
        return false;
    }
    if this.failed() || this.output.is_some_and(|output| output.has_problems) {
        return is_alike(reads);
    }
    if reads && is_long && !is_negative {
        return true;
    }
    // Many successes say the same: to be variants, calls must have the same targets.
    let known = words_of(run);
    let known = call.words().iter().filter(|word| known.contains(*word)).count();
    !has_new_targets(call, last.call)
        && (reads || is_negative || call.message)
        && ((reads || call.message) && known * 100 / call.words().len() >= REWORDING
            || is_alike(reads && is_negative))
}

fn has_new_targets(call: &Call, last: &Call) -> bool {
    call.targets().iter().any(|target| !last.targets().contains(target))
}

fn likeness(strict: bool, config: &Config) -> u32 {
    if strict { config.patience.look_likeness } else { config.patience.likeness }
}

/// Returns what kind of evidence a streak is, if it is a loop.
fn judge(run: &[&Outcome], config: &Config) -> Option<EvidenceClass> {
    let threshold = config.rule(LoopKind::Variant)?.threshold;
    let is_loose = (1..run.len()).any(|at| is_loose(run[at - 1], run[at], config));
    let (least, evidence) = if is_loose && is_reworded(run) {
        (config.patience.rewordings, EvidenceClass::Sweep)
    } else if !is_loose && breadth(run) == Breadth::OneTarget {
        match has_nothing_new(run) {
            true => (threshold, EvidenceClass::Duplicate),
            false => (threshold, EvidenceClass::Sweep),
        }
    } else if breadth(run) == Breadth::OneTarget
        || run.last().is_some_and(|last| has_long_error(last))
    {
        (config.patience.rewordings, EvidenceClass::Sweep)
    } else if run.last().is_some_and(|last| has_long_answer(last)) {
        (config.patience.sweep / 2, EvidenceClass::Sweep)
    } else {
        (config.patience.sweep, EvidenceClass::Sweep)
    };
    is_loop(run, least).then_some(evidence)
}

/// Returns whether there is a long answer that is not negative.
fn has_long_answer(outcome: &Outcome) -> bool {
    !outcome.failed() && outcome.output.is_some_and(|output| output.is_long() && !output.negative)
}

/// Returns whether there is a long error of three lines or more.
fn has_long_error(outcome: &Outcome) -> bool {
    let is_long = |text: &str| text.len() >= 80 && text.lines().count() >= 3;
    let has_problems = outcome.failed() || outcome.output.is_some_and(|output| output.has_problems);
    has_problems && outcome.output.and_then(|output| output.text).is_some_and(is_long)
}

/// Returns whether a call has only a few words in common with the one before. It does not
/// matter if the same long answer came; messages always count as loose.
fn is_loose(last: &Outcome, this: &Outcome, config: &Config) -> bool {
    let is_negative = this.output.is_none_or(|output| output.negative);
    let strict = this.call.effect == Effect::Read && is_negative && !this.failed();
    let is_alike = this.call.is_like(last.call, likeness(strict, config));
    this.evidence == Evidence::Acknowledgement || !has_long_answer(this) && !is_alike
}

fn signal(run: &[&Outcome], count: u32) -> Signal {
    let (first, last) = (run[0], run[run.len() - 1]);
    let about = format!("{:?} {:?}", last.call.kind(), answer(first));
    Signal { since: Some(run[0].index), ..Signal::new(LoopKind::Variant, about, count, last.index) }
}

/// Judges the last of the outcomes, which may be one more read of a file from the same
/// line. Reads before a write or a compaction do not count, nor do immediate repeats.
pub fn growing_read(known: &Known, config: &Config) -> Option<Signal> {
    let recent = &known.recent()[known.since_compaction()..];
    let wrote = |one: &Outcome| one.call.effect == Effect::Write && !one.failed();
    let from = recent.iter().rposition(wrote).map_or(0, |at| at + 1);
    let this = recent.last().filter(|this| !this.failed())?;
    let place = this.call.read_from?;
    let is_there = |one: &&Outcome| one.call.read_from == Some(place) && !one.failed();
    let reads: Vec<&Outcome> = recent[from..].iter().filter(is_there).collect();
    let others = reads.windows(2).filter(|two| !two[0].call.is_same(two[1].call));
    let count = others.count() as u32 + 1;
    (count >= config.rule(LoopKind::Variant)?.threshold).then(|| Signal {
        evidence: EvidenceClass::Duplicate,
        since: Some(reads[0].index),
        ..Signal::new(LoopKind::Variant, format!("read {place:?}"), count, this.index)
    })
}
