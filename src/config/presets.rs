//! Named configurations. A preset is only data: no code depends on its name.

use super::advice::Advice;
use super::messages::{self, Messages, Text};
use super::{Batch, Climb, Config, Patience, RAW_LENGTH, Rule, Rung, TextTurns};
use crate::call::Identity;
use crate::named::named;
use crate::result::EvidenceClass;
use crate::tools::Tables;
use crate::verdict::{Action, Level, LoopKind};
use alloc::vec::Vec;

named! {
    /// The named configurations.
    #[derive(Default)]
    #[non_exhaustive]
    Preset {
        /// The default: looks at results.
        #[default]
        Balanced = "balanced",
        /// Nudges more and more firmly, and never stops.
        Nudge = "nudge",
        /// Five identical calls in a row; one nudge, then a stop.
        Guard = "guard",
        /// Sequences of one to three calls that repeat.
        Cycles = "cycles",
        /// The same call three times among the last twenty.
        Window = "window",
    }
}

impl Preset {
    fn values(self) -> &'static Values {
        match self {
            Preset::Balanced => &BALANCED,
            Preset::Nudge => &NUDGE,
            Preset::Guard => &GUARD,
            Preset::Cycles => &CYCLES,
            Preset::Window => &WINDOW,
        }
    }

    /// Returns the full configuration.
    pub fn config(self) -> Config {
        let values = self.values();
        let mut rules = Vec::new();
        for common in RULES {
            let own = values.rules.iter().find(|own| own.kind == common.kind);
            let data = own.unwrap_or(common);
            rules.push(Rule {
                kind: data.kind,
                on: own.is_some(),
                threshold: data.threshold,
                climb: data.climb,
                rungs: data.rungs.to_vec(),
                results: data.results,
                cooldown: data.cooldown,
                at_most: None,
            });
        }
        Config {
            preset: self,
            main: values.main,
            window: values.window,
            max_period: values.max_period,
            iteration_cap: values.iteration_cap,
            identity: values.identity,
            batch: values.batch,
            text_turns: values.text_turns,
            rules,
            patience: PATIENCE,
            at_most: AT_MOST.to_vec(),
            tools: Vec::new(),
            tables: Tables::default(),
            messages: Messages::new(values.texts),
            advice: Advice::default(),
            quotes_output: true,
            observes: false,
        }
    }
}

struct Values {
    main: LoopKind,
    window: u32,
    max_period: u32,
    iteration_cap: Option<u32>,
    identity: Identity,
    batch: Batch,
    text_turns: TextTurns,
    rules: &'static [RuleData],
    texts: &'static [Text],
}

#[derive(Clone, Copy)]
struct RuleData {
    kind: LoopKind,
    threshold: u32,
    climb: Climb,
    rungs: &'static [Rung],
    results: bool,
    cooldown: u32,
}

const fn rule(kind: LoopKind, threshold: u32, climb: Climb, rungs: &'static [Rung]) -> RuleData {
    RuleData { kind, threshold, climb, rungs, results: false, cooldown: 0 }
}

/// Makes the rule of a pattern that looks at results.
const fn result_aware(kind: LoopKind, threshold: u32) -> RuleData {
    RuleData {
        kind,
        threshold,
        climb: Climb::Evidence,
        rungs: NUDGE_BLOCK_STOP,
        results: true,
        cooldown: 1,
    }
}

const fn rung(at: u32, action: Action, level: Level) -> Rung {
    Rung { at, action, level }
}

const NUDGE_ONLY: &[Rung] = &[rung(1, Action::Nudge, Level::Warning)];
const STOP_ONLY: &[Rung] = &[rung(1, Action::Stop, Level::Critical)];

/// Stronger words with every repeat. A fuzzy repeat is never refused: the calls are not
/// identical.
const BY_COUNT: &[Rung] = &[
    rung(3, Action::Nudge, Level::Notice),
    rung(4, Action::Nudge, Level::Warning),
    rung(6, Action::Nudge, Level::Critical),
];

/// The critical text promises that further identical calls will be rejected.
const BY_COUNT_THEN_BLOCK: &[Rung] = &[
    rung(3, Action::Nudge, Level::Notice),
    rung(4, Action::Nudge, Level::Warning),
    rung(6, Action::Nudge, Level::Critical),
    rung(7, Action::Block, Level::Critical),
];

const WARN_WARN_STOP: &[Rung] = &[
    rung(1, Action::Nudge, Level::Notice),
    rung(2, Action::Nudge, Level::Warning),
    rung(3, Action::Stop, Level::Critical),
];

/// A nudge, a stronger nudge, refusals, a stop: by the number of repeats since the loop was
/// detected, refused ones included. What the evidence does not allow is skipped.
const NUDGE_BLOCK_STOP: &[Rung] = &[
    rung(1, Action::Nudge, Level::Notice),
    rung(3, Action::Nudge, Level::Warning),
    rung(6, Action::Block, Level::Critical),
    rung(7, Action::Stop, Level::Critical),
];

/// Text that says the same in other words starts at the first rung, text that repeats
/// itself word for word at the second. All rungs but the first cut the text off.
const CHANT_RUNGS: &[Rung] = &[
    rung(1, Action::Nudge, Level::Notice),
    rung(2, Action::Nudge, Level::Warning),
    rung(3, Action::Block, Level::Warning),
    rung(4, Action::Stop, Level::Critical),
];

const NUDGE_THEN_STOP: &[Rung] =
    &[rung(1, Action::Nudge, Level::Warning), rung(2, Action::Stop, Level::Critical)];

const EXACT_REPEAT: RuleData = rule(LoopKind::ExactRepeat, 3, Climb::Count, BY_COUNT_THEN_BLOCK);
const FUZZY_REPEAT: RuleData = rule(LoopKind::FuzzyRepeat, 4, Climb::Count, BY_COUNT);
const WINDOWED_REPEAT: RuleData = rule(LoopKind::WindowedRepeat, 3, Climb::Count, STOP_ONLY);
const CYCLE: RuleData = rule(LoopKind::Cycle, 2, Climb::Occurrence, WARN_WARN_STOP);
const NO_PROGRESS: RuleData = result_aware(LoopKind::NoProgress, 3);
const VARIANT: RuleData = result_aware(LoopKind::Variant, 6);
const SAME_ERROR: RuleData = result_aware(LoopKind::SameError, 7);
const OSCILLATION: RuleData = result_aware(LoopKind::Oscillation, 3);
const FAILURE_CASCADE: RuleData = rule(LoopKind::FailureCascade, 3, Climb::Count, NUDGE_ONLY);
const TEST_FIX: RuleData = rule(LoopKind::TestFix, 3, Climb::Count, NUDGE_ONLY);
const SUMMARY: RuleData = rule(LoopKind::Summary, 2, Climb::Count, NUDGE_ONLY);
const CHANT: RuleData = rule(LoopKind::Chant, 10, Climb::Occurrence, CHANT_RUNGS);
const ITERATION_CAP: RuleData = rule(LoopKind::IterationCap, 1, Climb::Count, STOP_ONLY);

/// What each rule starts from when options enable it in a preset that does not.
const RULES: &[RuleData] = &[
    EXACT_REPEAT,
    FUZZY_REPEAT,
    WINDOWED_REPEAT,
    CYCLE,
    NO_PROGRESS,
    VARIANT,
    SAME_ERROR,
    OSCILLATION,
    FAILURE_CASCADE,
    TEST_FIX,
    SUMMARY,
    CHANT,
    ITERATION_CAP,
];

/// Measured on real trajectories; see `docs/evaluation.md`.
const PATIENCE: Patience = Patience {
    unsure: 6,
    execution: 4,
    timed_execution: 24,
    empty: 12,
    acknowledgement: 40,
    poll: 36,
    wait: 60,
    infrastructure: 8,
    failures: 5,
    after_changes: 5,
    complaints: 8,
    same_edit: 4,
    failing_edits: 5,
    mixed_errors: 10,
    sweep: 40,
    rewordings: 9,
    parallel: 8,
    stale: 5,
    likeness: 60,
    look_likeness: 80,
};

/// What each kind of evidence allows. A wrong stop costs most, so only proven loops may end
/// a run; and a refused poll could never see the change it waits for.
const AT_MOST: &[(EvidenceClass, Action)] = &[
    (EvidenceClass::Proven, Action::Stop),
    (EvidenceClass::Duplicate, Action::Block),
    (EvidenceClass::CallsOnly, Action::Block),
    (EvidenceClass::IdenticalExecution, Action::Block),
    (EvidenceClass::Execution, Action::Nudge),
    (EvidenceClass::Check, Action::Nudge),
    (EvidenceClass::Sweep, Action::Nudge),
    (EvidenceClass::Waiting, Action::Nudge),
    (EvidenceClass::Acknowledgement, Action::Nudge),
];

const BALANCED: Values = Values {
    main: LoopKind::NoProgress,
    window: 120,
    max_period: 100,
    iteration_cap: None,
    identity: Identity::Canonical,
    batch: Batch::Each,
    text_turns: TextTurns::Alike,
    rules: &[
        result_aware(LoopKind::Cycle, 3),
        NO_PROGRESS,
        VARIANT,
        SAME_ERROR,
        OSCILLATION,
        RuleData { threshold: 3, climb: Climb::Evidence, ..SUMMARY },
        CHANT,
        ITERATION_CAP,
    ],
    texts: &[],
};

const NUDGE: Values = Values {
    main: LoopKind::ExactRepeat,
    window: 10,
    max_period: 3,
    iteration_cap: None,
    identity: Identity::Canonical,
    batch: Batch::Each,
    text_turns: TextTurns::Any,
    rules: &[EXACT_REPEAT, FUZZY_REPEAT, FAILURE_CASCADE, TEST_FIX, SUMMARY, ITERATION_CAP],
    texts: messages::NUDGE,
};

const GUARD: Values = Values {
    main: LoopKind::ExactRepeat,
    window: 20,
    max_period: 3,
    iteration_cap: Some(200),
    identity: Identity::Raw { length: RAW_LENGTH },
    batch: Batch::End,
    text_turns: TextTurns::Any,
    rules: &[rule(LoopKind::ExactRepeat, 5, Climb::Feedback, NUDGE_THEN_STOP), ITERATION_CAP],
    texts: messages::GUARD,
};

const CYCLES: Values = Values {
    main: LoopKind::Cycle,
    window: 20,
    max_period: 3,
    iteration_cap: None,
    identity: Identity::Canonical,
    batch: Batch::Each,
    text_turns: TextTurns::Any,
    rules: &[CYCLE, ITERATION_CAP],
    texts: messages::CYCLES,
};

const WINDOW: Values = Values {
    main: LoopKind::WindowedRepeat,
    window: 20,
    max_period: 3,
    iteration_cap: None,
    identity: Identity::Canonical,
    batch: Batch::Each,
    text_turns: TextTurns::Any,
    rules: &[WINDOWED_REPEAT, ITERATION_CAP],
    texts: messages::WINDOW,
};
