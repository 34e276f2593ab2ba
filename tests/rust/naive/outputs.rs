//! What tools say, with what each means written beside it by hand.

use super::tools::{Call, Effect};

/// What a result is worth as evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evidence {
    Informative,
    Acknowledgement,
    Waiting,
    Infrastructure,
    Unknown,
    NoResults,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Output {
    pub text: Option<&'static str>,
    pub ok: Option<bool>,
    /// What the text is the same as, volatile tokens left out.
    pub same_as: u64,
    /// What the error is the same as, whatever it is about.
    pub error: u64,
    /// The text itself tells of a failure, in whatever way a tool tells it.
    pub fails: bool,
    /// A service was busy or away.
    pub busy: bool,
    /// It only says "ok", or nothing.
    pub only_ok: bool,
    pub complains: bool,
    /// It says that nothing came of the call.
    pub in_vain: bool,
    /// It says that something has not happened yet.
    pub is_polling: bool,
}

const SAID: Output = Output {
    text: None,
    ok: None,
    same_as: 0,
    error: 0,
    fails: false,
    busy: false,
    only_ok: false,
    complains: false,
    in_vain: false,
    is_polling: false,
};

const fn said(text: &'static str, same_as: u64) -> Output {
    Output { text: Some(text), same_as, ..SAID }
}

const fn error(text: &'static str, same_as: u64, error: u64) -> Output {
    Output { fails: true, error, ..said(text, same_as) }
}

pub static OUTPUTS: &[Output] = &[
    said("alpha beta", 1),
    said("took 0.12s altogether", 2),
    said("took 4.01s altogether", 2),
    error("Error: no such thing\nexit code: 1\n1 failed", 3, 1),
    error("Error: cannot open 'x' here\nexit code: 1\n1 failed", 4, 2),
    error("Error: cannot open 'yy' here\nexit code: 1\n1 failed", 5, 2),
    Output { busy: true, ..error("Error: 503 Service Unavailable\nexit code: 1\n1 failed", 6, 3) },
    SAID,
    Output { ok: Some(true), ..SAID },
    Output { ok: Some(false), ..SAID },
    Output { only_ok: true, ..said("ok", 7) },
    Output { only_ok: true, in_vain: true, ..said("", 8) },
    Output { ok: Some(false), error: 4, ..said("", 8) },
    Output { ok: Some(true), complains: true, ..said("a warning: this was expected", 9) },
    Output { ok: Some(false), error: 5, ..said("alpha beta", 1) },
    Output { ok: Some(true), ..said("rate limit exceeded for the day", 10) },
    Output { is_polling: true, ..said("unchanged_repeats pending", 11) },
    Output { is_polling: true, ..said("now running", 12) },
    Output { in_vain: true, ..said("nothing found", 13) },
    Output { ok: Some(true), complains: true, in_vain: true, ..said("warning: nothing to do", 14) },
];

impl Output {
    pub fn failed(&self) -> bool {
        self.ok == Some(false) || self.fails
    }

    pub fn is_blank(&self) -> bool {
        self.text.unwrap_or_default().is_empty()
    }

    pub fn evidence(&self, call: &Call) -> Evidence {
        let acknowledges = match call.effect {
            Effect::Write if call.shell => self.is_blank(),
            Effect::Write => true,
            Effect::Read => false,
            Effect::Execute => self.only_ok && !call.shell && !call.tests,
        };
        match (self.text, self.failed()) {
            (_, true) if self.busy => Evidence::Infrastructure,
            (_, true) => Evidence::Informative,
            (None, false) => Evidence::Unknown,
            _ if acknowledges => Evidence::Acknowledgement,
            _ if call.is_polling || self.is_polling => Evidence::Waiting,
            _ => Evidence::Informative,
        }
    }

    /// What the whole result is the same as.
    pub fn reply(&self) -> (Option<u64>, bool) {
        (self.text.map(|_| self.same_as), self.failed())
    }
}
