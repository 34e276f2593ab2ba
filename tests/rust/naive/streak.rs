//! Calls that keep having the same outcome, and whether they are about one thing.

use super::outcomes::Outcome;

/// Whether calls were about one target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Breadth {
    OneTarget,
    /// Each was about something else, and
    Sweep,
    /// the results say about what.
    NamedSweep,
}

/// How many turns the calls were made in; those of one turn are one decision.
pub fn count(run: &[&Outcome]) -> u32 {
    run.windows(2).filter(|two| two[0].turn != two[1].turn).count() as u32 + 1
}

/// Whether there are at least two different calls, and enough.
pub fn is_loop(run: &[&Outcome], least: u32) -> bool {
    let is_varied = run.iter().any(|one| !one.call.is_same(run[0].call));
    is_varied && count(run) >= least
}

/// Half of the calls are about something that none before was about, with one program.
pub fn breadth(run: &[&Outcome]) -> Breadth {
    let (mut fresh, mut named, mut programs) = (0, 0, 0);
    for at in 1..run.len() {
        let (this, before) = (run[at], &run[..at]);
        let is_new = |target: &&str| !before.iter().any(|one| one.call.targets().contains(target));
        let new: Vec<&str> = this.call.targets().into_iter().filter(is_new).collect();
        let names = this.output.map_or(&[][..], |output| output.names);
        programs += u32::from(this.call.program() != before[at - 1].call.program());
        if !new.is_empty() && this.turn != before[at - 1].turn {
            fresh += 1;
            named += u32::from(new.iter().any(|target| names.contains(target)));
        }
    }
    if fresh == 0 || fresh < (count(run) - 1) / 2 || programs > 1 {
        Breadth::OneTarget
    } else if named * 2 > fresh {
        Breadth::NamedSweep
    } else {
        Breadth::Sweep
    }
}
