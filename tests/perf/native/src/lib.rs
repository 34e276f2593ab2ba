//! The jobs that `npm run bench` gives the native engine: the same calls and
//! results that it gives the package, read from a file which it writes.

use loophound::{Action, Args, Call, LoopDetector, Preset, ToolResult, Value};
use std::error::Error;

type Failure = Box<dyn Error>;

/// Calls or answered calls of one size, for a detector with one preset.
pub struct Job {
    /// How the bench names it: `call/nudge/300`, `answer/balanced/1000`.
    pub name: String,
    preset: Preset,
    steps: Vec<Step>,
}

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
    let data = parse(&std::fs::read_to_string(path)?)?;
    items(&data)?.iter().map(job).collect()
}

fn job(data: &Value) -> Result<Job, Failure> {
    Ok(Job {
        name: text(data, "name")?,
        preset: preset(&text(data, "preset")?)?,
        steps: items(data.get("steps").ok_or("a job has steps")?)?
            .iter()
            .map(step)
            .collect::<Result<_, _>>()?,
    })
}

fn preset(name: &str) -> Result<Preset, Failure> {
    let known = Preset::ALL.iter().find(|preset| preset.name() == name);
    known.copied().ok_or_else(|| format!("there is no preset {name}").into())
}

fn step(data: &Value) -> Result<Step, Failure> {
    Ok(Step {
        name: text(data, "name")?,
        args: text(data, "args")?,
        id: text(data, "id")?,
        output: data.get("output").map(|_| text(data, "output")).transpose()?,
    })
}

fn parse(json: &str) -> Result<Value, Failure> {
    Value::parse_json(json).map_err(|error| error.message().to_string().into())
}

fn items(value: &Value) -> Result<&[Value], Failure> {
    match value {
        Value::List(items) => Ok(items),
        _ => Err("expected a list".into()),
    }
}

fn text(value: &Value, name: &str) -> Result<String, Failure> {
    match value.get(name) {
        Some(Value::Text(text)) => Ok(text.clone()),
        _ => Err(format!("{name} must be a text").into()),
    }
}
