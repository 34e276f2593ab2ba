//! Runs the jobs of `npm run bench` on the native engine: the same calls and results that the package
//! gets, read from a file.

use loophound::{Action, Args, Call, LoopDetector, Preset, ToolResult};
use serde::Deserialize;
use std::error::Error;

/// Calls, or calls with results, of one size, for a detector with one preset.
#[derive(Deserialize)]
pub struct Job {
    /// For example `call/nudge/300` or `result/balanced/1000`.
    pub name: String,
    preset: String,
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
    /// Creates a detector that has seen every step once, as in the middle of a run.
    ///
    /// # Errors
    ///
    /// If the job names an unknown preset.
    pub fn detector(&self) -> Result<LoopDetector, Box<dyn Error>> {
        let preset = Preset::ALL.iter().find(|preset| preset.name() == self.preset);
        let preset = preset.ok_or_else(|| format!("there is no preset {}", self.preset))?;
        let mut detector = LoopDetector::with_preset(*preset);
        self.pass(&mut detector);
        Ok(detector)
    }

    /// Runs all steps through the detector; returns how often it saw a loop.
    pub fn pass(&self, detector: &mut LoopDetector) -> usize {
        let mut alarms = 0;
        for step in &self.steps {
            let id = Some(step.id.as_str());
            let call =
                Call { name: &step.name, args: Args::Text(&step.args), id, ..Call::default() };
            alarms += usize::from(detector.record_call(&call).action != Action::Continue);
            if let Some(output) = &step.output {
                let output = Some(output.as_str());
                let result = ToolResult { id, ok: Some(true), output, ..ToolResult::default() };
                alarms += usize::from(detector.record_result(&result).action != Action::Continue);
            }
        }
        alarms
    }

    /// Returns the number of calls in one pass.
    pub fn calls(&self) -> usize {
        self.steps.len()
    }
}

/// Reads the jobs from the file that the environment variable `LOOPHOUND_JOBS` names.
///
/// # Errors
///
/// If the variable is not set, or the file cannot be read.
pub fn jobs() -> Result<Vec<Job>, Box<dyn Error>> {
    let path = std::env::var("LOOPHOUND_JOBS")
        .map_err(|_| "LOOPHOUND_JOBS is not set; start this with `npm run bench`")?;
    Ok(serde_json::from_str(&std::fs::read_to_string(path)?)?)
}
