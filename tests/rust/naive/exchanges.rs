//! What the patterns ask about exchanges: how often the same came of a call, and
//! whether anything new came in between.

use super::alphabet::{Deed, Worth};
use super::transcript::{Exchange, Known};

/// Which of the exchanges before one at call number `now` are looked back at.
fn in_window(before: &[Exchange], now: u64, window: u32) -> impl Iterator<Item = usize> {
    let window = window as usize;
    let near = move |at: &usize| now.saturating_sub(before[*at].index) <= window as u64;
    (before.len().saturating_sub(window)..before.len()).rev().filter(near)
}

/// The newest of this call, if it is not too long ago.
pub fn last_of(before: &[Exchange], call: u64, now: u64, window: u32) -> Option<usize> {
    in_window(before, now, window).find(|at| before[*at].call.same_as == call)
}

/// The same call brought the same before.
pub fn is_stale(all: &[Exchange], at: usize, window: u32) -> bool {
    let this = &all[at];
    in_window(&all[..at], this.index, window).any(|before| {
        all[before].call.same_as == this.call.same_as && all[before].reply() == this.reply()
    })
}

/// Whether it tells anything, be it new or not.
fn tells(exchange: &Exchange) -> bool {
    match exchange.worth() {
        Worth::Evidence | Worth::Unheard => true,
        Worth::Acknowledgement => exchange.call.deed == Deed::Change,
        Worth::Infrastructure | Worth::Unknown => false,
    }
}

/// Something was learned or done. Of a result that is not known, only that the
/// call was made is known: news, the first time.
pub fn is_news(all: &[Exchange], at: usize, window: u32) -> bool {
    (tells(&all[at]) || all[at].worth() == Worth::Unknown) && !is_stale(all, at, window)
}

/// How much news there was in the whole run, forgotten or not.
pub fn news(known: &Known, window: u32) -> u64 {
    let mut count = 0;
    for at in 0..known.exchanges.len() {
        let from = known.forgotten.iter().copied().filter(|from| *from <= at).max().unwrap_or(0);
        count += u64::from(is_news(&known.exchanges[from..], at - from, window));
    }
    count
}

/// The exchanges that led to one without anything in between but other calls:
/// the same call with the same result, each the last of that call before the next.
/// Newest first, itself included.
pub fn run_of(all: &[Exchange], at: usize, window: u32) -> Vec<usize> {
    let mut run = vec![at];
    let mut this = at;
    while let Some(last) = last_of(&all[..this], all[at].call.same_as, all[this].index, window) {
        if all[last].reply() != all[at].reply() {
            break;
        }
        run.push(last);
        this = last;
    }
    run
}

/// How many of a run have had no news in between.
pub fn still(all: &[Exchange], run: &[usize], window: u32) -> u32 {
    let quiet = run.windows(2).take_while(|pair| {
        let (later, earlier) = (pair[0], pair[1]);
        (earlier + 1..later).all(|between| !is_news(all, between, window))
    });
    quiet.count() as u32 + 1
}

/// How often a call has worked, as far back as it can be followed.
pub fn worked(all: &[Exchange], at: usize, window: u32) -> u32 {
    let mut count = u32::from(!all[at].failed());
    let mut this = at;
    while let Some(last) = last_of(&all[..this], all[at].call.same_as, all[this].index, window) {
        count += u32::from(!all[last].failed());
        this = last;
    }
    count
}

/// How many calls in a row brought nothing new, and where that row began. News
/// takes from it instead of clearing it.
pub fn stale_row(all: &[Exchange], window: u32) -> (u32, u64) {
    let (mut row, mut since) = (0u32, 0);
    for (at, exchange) in all.iter().enumerate() {
        if is_news(all, at, window) {
            let little = exchange.call.deed == Deed::Look || exchange.failed();
            row = row.saturating_sub(if little { 1 } else { 2 });
        } else if tells(exchange) && !exchange.call.waits {
            since = if row == 0 { exchange.index } else { since };
            row += 1;
        }
    }
    (row, since)
}
