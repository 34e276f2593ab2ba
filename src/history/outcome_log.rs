//! The last answered calls: what came of each, how often the same came of it
//! before, and whether it was news. Knows nothing of patterns.

use crate::call::Fingerprint;
use crate::result::{ClassifiedResult, Evidence};
use crate::ring::Ring;
use crate::snapshot::codec::{Reader, Writer};
use crate::tools::Effect;

/// A call and what came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// The call's number.
    pub index: u64,
    /// What the call is the same as.
    pub call: u64,
    /// What its result is the same as.
    pub reply: u64,
    /// How often in a row this call has brought this result.
    pub same: u32,
    /// So many of these last ones without any news in between.
    pub still: u32,
    /// How often this call has worked.
    pub worked: u32,
    /// Where the run of the same result began.
    pub since: u64,
    /// The counters of news and of moves right after it.
    news: u64,
    moves: u64,
    pub failed: bool,
    pub worth: Evidence,
    /// The same call had brought the same result before.
    pub stale: bool,
    /// The call before it was the same one.
    pub in_a_row: bool,
    /// Something was changed since the run of the same result began.
    pub changed: bool,
    /// The counter of changes right after it.
    changes: u64,
}

/// However long the window is, so many outcomes are looked back at: more would
/// make every result dearer, and no loop is that long.
pub(crate) const MOST: u32 = 100;

/// The ring, and what was counted on the way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OutcomeLog {
    ring: Ring<Outcome>,
    /// How often something new was learned or done.
    news: u64,
    /// The same, with calls that are new and were only acknowledged.
    moves: u64,
    /// How often something was changed.
    changes: u64,
    /// The call that was refused since the newest exchange.
    refused: Option<u64>,
    /// So many calls in a row brought nothing new, but for immediate repeats. News
    /// takes from it instead of clearing it: the odd new call does not end a loop.
    stale: u32,
    /// Where that row began.
    stale_since: u64,
}

impl OutcomeLog {
    pub fn new(window: u32) -> Self {
        let capacity = window.min(MOST) as usize;
        Self {
            ring: Ring::new(capacity),
            news: 0,
            moves: 0,
            changes: 0,
            refused: None,
            stale: 0,
            stale_since: 0,
        }
    }

    /// A call was answered.
    pub fn add(
        &mut self,
        index: u64,
        fingerprint: &Fingerprint,
        reply: &ClassifiedResult,
    ) -> Outcome {
        let call = fingerprint.intent.normalized_hash;
        let known = |old: &Outcome| old.call == call && old.reply == reply.hash;
        let last = self.last_of(call);
        let stale = last.is_some() && self.ring.find(known).is_some();
        let worked = last.map_or(0, |last| last.worked).saturating_add(u32::from(!reply.failed));
        let in_a_row = self.is_newest(call);
        let mut exchange = Outcome {
            index,
            call,
            reply: reply.hash,
            same: 1,
            still: 1,
            worked,
            since: index,
            news: 0,
            moves: 0,
            failed: reply.failed,
            worth: reply.worth,
            stale,
            in_a_row,
            changed: false,
            changes: 0,
        };
        if let Some(last) = last.filter(|last| last.reply == reply.hash) {
            exchange.same = last.same.saturating_add(1);
            exchange.since = last.since;
            exchange.changed = last.changed || last.changes != self.changes;
            if self.nothing_since(&last) {
                exchange.still = last.still.saturating_add(1);
            }
        }
        if !(in_a_row && exchange.same > 1) {
            self.weigh(index, fingerprint, reply, stale);
        }
        exchange.news = self.news;
        exchange.moves = self.moves;
        exchange.changes = self.changes;
        self.refused = None;
        self.ring.push(exchange);
        exchange
    }

    /// Whether it was news, and what that means for the row of stale calls.
    fn weigh(
        &mut self,
        index: u64,
        fingerprint: &Fingerprint,
        reply: &ClassifiedResult,
        stale: bool,
    ) {
        let told = match reply.worth {
            Evidence::Informative | Evidence::NoResults => true,
            // That it goes on is news; that it does not, is none, and no loop yet.
            Evidence::Waiting => !stale,
            // A change was made, and that is news, unless it was made before.
            Evidence::Acknowledgement => fingerprint.intent.effect == Effect::Write,
            // All that is known is that the call was made: news, the first time.
            Evidence::Unknown => !stale,
            Evidence::Infrastructure => false,
        };
        if !stale && (told || reply.worth == Evidence::Acknowledgement) {
            self.moves = self.moves.saturating_add(1);
        }
        if !told {
            return;
        }
        if !stale {
            self.news = self.news.saturating_add(1);
            let changed = fingerprint.intent.effect == Effect::Write && !reply.failed;
            self.changes = self.changes.saturating_add(u64::from(changed));
            // Looking around and failing in a new way is less than getting on.
            let little = fingerprint.intent.effect == Effect::Read || reply.failed;
            self.stale = self.stale.saturating_sub(if little { 1 } else { 2 });
        } else if !fingerprint.intent.is_polling {
            if self.stale == 0 {
                self.stale_since = index;
            }
            self.stale = self.stale.saturating_add(1);
        }
    }

    /// Whether the call before this one was the same.
    pub fn is_newest(&self, call: u64) -> bool {
        let newest = self.back(0).is_some_and(|newest| newest.call == call);
        newest && self.refused.is_none_or(|refused| refused == call)
    }

    /// A call was refused: it stands between its neighbours, and is nothing else.
    pub fn refuse(&mut self, call: u64) {
        self.refused = Some(call);
    }

    /// The newest exchange of this call, if it is remembered.
    pub fn last_of(&self, call: u64) -> Option<Outcome> {
        self.ring.find(|old| old.call == call).copied()
    }

    /// Whether nothing new has come since that exchange.
    pub fn nothing_since(&self, exchange: &Outcome) -> bool {
        match exchange.worth {
            // Typing text and pressing keys: each is only acknowledged, and they are work.
            Evidence::Acknowledgement => exchange.moves == self.moves,
            _ => exchange.news == self.news,
        }
    }

    /// How many outcomes ago; 0 is the newest.
    pub fn back(&self, ago: usize) -> Option<&Outcome> {
        self.ring.back(ago)
    }

    /// How often something new was learned or done.
    pub fn news(&self) -> u64 {
        self.news
    }

    /// How many calls in a row brought nothing new.
    pub fn stale(&self) -> u32 {
        self.stale
    }

    /// Where that row began.
    pub fn stale_since(&self) -> u64 {
        self.stale_since
    }

    /// Forgets what was seen.
    pub fn restart(&mut self) {
        self.ring.clear();
        self.stale = 0;
        self.refused = None;
    }

    pub fn save(&self, out: &mut Writer) {
        out.count(self.news);
        out.count(self.moves);
        out.count(self.changes);
        out.maybe(self.refused);
        out.count(self.stale.into());
        out.count(self.stale_since);
        out.length(self.ring.len());
        for ago in (0..self.ring.len()).rev() {
            let Some(exchange) = self.back(ago) else { continue };
            out.hash(exchange.call);
            out.hash(exchange.reply);
            for number in
                [exchange.index, exchange.since, exchange.news, exchange.moves, exchange.changes]
            {
                out.count(number);
            }
            for number in [exchange.same, exchange.still, exchange.worked] {
                out.count(number.into());
            }
            out.count(exchange.worth as u64);
            let flags = [exchange.failed, exchange.stale, exchange.in_a_row, exchange.changed];
            flags.into_iter().for_each(|flag| out.flag(flag));
        }
    }

    /// Reads what [`OutcomeLog::save`] wrote.
    pub fn load(window: u32, from: &mut Reader) -> Option<Self> {
        let mut all = Self::new(window);
        all.news = from.count();
        all.moves = from.count();
        all.changes = from.count();
        all.refused = from.maybe();
        all.stale = from.small();
        all.stale_since = from.count();
        for _ in 0..from.length(all.ring.capacity()) {
            all.ring.push(Outcome {
                call: from.hash(),
                reply: from.hash(),
                index: from.count(),
                since: from.count(),
                news: from.count(),
                moves: from.count(),
                changes: from.count(),
                same: from.small(),
                still: from.small(),
                worked: from.small(),
                worth: Evidence::at(from.place(Evidence::ALL.len()))?,
                failed: from.flag(),
                stale: from.flag(),
                in_a_row: from.flag(),
                changed: from.flag(),
            });
        }
        Some(all)
    }
}
