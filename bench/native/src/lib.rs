//! The jobs that `npm run bench` gives the native engine: the same calls and
//! results that it gives the package, read from a file which it writes.

use loophound::{Action, Args, Call, LoopDetector, Preset, ToolResult};
use serde::Deserialize;
use std::error::Error;

type Failure = Box<dyn Error>;

/// Calls or answered calls of one size, for a detector with one preset.
#[derive(Deserialize)]
pub struct Job {
    /// How the bench names it: `call/nudge/300`, `answer/balanced/1000`.
    pub name: String,
    preset: Preset,
    steps: Vec<Step>,
}

#[derive(Deserialize)]
struct Step {
    name: String,
    args: String,
    id: String,
    output: Option<String>,
}

impl Job {
    /// A detector that has seen every step once, as it is in the middle of a run.
    pub fn detector(&self) -> LoopDetector {
        let mut detector = LoopDetector::with_preset(self.preset);
        self.pass(&mut detector);
        detector
    }

    /// Takes the detector once through all steps; answers how often it saw a loop.
    pub fn pass(&self, detector: &mut LoopDetector) -> usize {
        let mut alarms = 0;
        for step in &self.steps {
            let id = Some(step.id.as_str());
            let call = Call { name: &step.name, args: Args::Text(&step.args), id };
            alarms += usize::from(detector.record_call(&call).action != Action::Continue);
            if let Some(output) = &step.output {
                let result = ToolResult { id, name: None, ok: Some(true), output: Some(output) };
                alarms += usize::from(detector.record_result(&result).action != Action::Continue);
            }
        }
        alarms
    }

    /// How many calls one pass has.
    pub fn calls(&self) -> usize {
        self.steps.len()
    }
}

/// The jobs of the file that the environment variable `LOOPHOUND_JOBS` names.
pub fn jobs() -> Result<Vec<Job>, Failure> {
    let path = std::env::var("LOOPHOUND_JOBS")
        .map_err(|_| "LOOPHOUND_JOBS names no file; start this with `npm run bench`")?;
    Ok(serde_json::from_str(&std::fs::read_to_string(path)?)?)
}
