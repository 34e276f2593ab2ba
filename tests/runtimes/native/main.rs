//! What the native engine answers to the events of the runtime suite: plays
//! `events.json` (its path is the argument) as `scenario.mjs` does, and prints
//! the same text. Every runtime's verdicts are compared with it byte for byte.

use loophound::{
    Args, Call, Channel, Config, LoopDetector, Snapshot, SwarmConfig, SwarmDetector, ToolResult,
    compute_tool_fingerprint,
};
use serde_json::{Value, to_string};

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let path = std::env::args().nth(1).ok_or("expected the path of events.json")?;
    let events: Value = serde_json::from_str(&std::fs::read_to_string(path)?)?;
    let mut lines = Vec::new();
    for run in list(&events, "runs")? {
        play(run, &mut lines)?;
    }
    println!("[\n{}\n]", lines.join(",\n"));
    Ok(())
}

/// Plays a run's pieces, each on a new detector that goes on from the snapshot
/// of the one before.
fn play(run: &Value, lines: &mut Vec<String>) -> Result<(), Failure> {
    let mut snapshot: Option<String> = None;
    for piece in list(run, "pieces")? {
        let mut subject = Subject::new(run)?;
        if let Some(text) = &snapshot {
            subject.restore(&serde_json::from_str(text)?)?;
        }
        for step in steps(items(piece)?)? {
            let (method, args) = step.split_first().ok_or("an empty step")?;
            let answer = subject.ask(text(method)?, args)?;
            let name = &run["name"];
            lines.push(format!(r#"{{"run":{name},"method":{method},"answer":{answer}}}"#));
        }
        snapshot = Some(serde_json::to_string(&subject.snapshot())?);
    }
    Ok(())
}

/// A step is `[method, ...arguments]`, or `[times, ...steps]`.
fn steps(list: &[Value]) -> Result<Vec<&[Value]>, Failure> {
    let mut found = Vec::new();
    for step in list {
        let step = items(step)?;
        match step.split_first() {
            Some((Value::Number(times), repeated)) => {
                for _ in 0..times.as_u64().unwrap_or(0) {
                    found.extend(steps(repeated)?);
                }
            }
            _ => found.push(step),
        }
    }
    Ok(found)
}

enum Subject {
    Detector(Box<LoopDetector>),
    Swarm(Box<SwarmDetector>),
}

impl Subject {
    fn new(run: &Value) -> Result<Self, Failure> {
        if let Some(options) = run.get("swarm") {
            let config = SwarmConfig::from_options(options)?;
            let swarm = SwarmDetector::new(config, [1, 2])?;
            return Ok(Self::Swarm(Box::new(swarm)));
        }
        let options = run.get("detector").ok_or("a run has a detector or a swarm")?;
        let config = Config::from_options(options)?;
        Ok(Self::Detector(Box::new(LoopDetector::new(config)?)))
    }

    fn ask(&mut self, method: &str, args: &[Value]) -> Result<String, Failure> {
        if method == "computeToolFingerprint" {
            let arguments = Raw::of(args.get(1));
            let fingerprint = compute_tool_fingerprint(word(args, 0)?, arguments.args());
            return Ok(to_string(&fingerprint)?);
        }
        match self {
            Self::Detector(detector) => ask_detector(detector, method, args),
            Self::Swarm(swarm) => ask_swarm(swarm, method, args),
        }
    }

    fn snapshot(&self) -> Snapshot {
        match self {
            Self::Detector(detector) => detector.snapshot(),
            Self::Swarm(swarm) => swarm.snapshot(),
        }
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Failure> {
        match self {
            Self::Detector(detector) => Ok(detector.restore(snapshot)?),
            Self::Swarm(swarm) => Ok(swarm.restore(snapshot)?),
        }
    }
}

/// Reads a time in milliseconds.
fn time(value: Option<&Value>) -> Option<u64> {
    value.and_then(Value::as_f64).filter(|at| *at >= 0.0).map(|at| at as u64)
}

fn ask_detector(
    detector: &mut LoopDetector,
    method: &str,
    args: &[Value],
) -> Result<String, Failure> {
    Ok(match method {
        "record" => {
            let arguments = Raw::of(args.get(1));
            let id = args.get(2).map(text).transpose()?;
            let call = Call { name: word(args, 0)?, args: arguments.args(), id, ..Call::default() };
            to_string(detector.record_call(&call))?
        }
        "recordBatch" => {
            detector.begin_batch();
            for call in items(args.first().ok_or("a batch has calls")?)? {
                let arguments = Raw::of(call.get("args"));
                let name = text(call.get("name").ok_or("a call has a name")?)?;
                let id = call.get("id").map(text).transpose()?;
                detector.record_call(&Call {
                    name,
                    args: arguments.args(),
                    id,
                    at: time(call.get("at")),
                    ..Call::default()
                });
            }
            to_string(detector.end_batch())?
        }
        "recordResult" => {
            let result = args.first().ok_or("a result is missing")?;
            let at = time(result.get("at"));
            let output = result.get("output").map(|output| Raw::of(Some(output)));
            let ok = match result.get("ok") {
                Some(Value::Bool(ok)) => Some(*ok),
                _ => None,
            };
            let result = ToolResult {
                id: result.get("id").map(text).transpose()?,
                name: result.get("name").map(text).transpose()?,
                ok,
                output: output.as_ref().and_then(Raw::text),
                at,
            };
            to_string(detector.record_result(&result))?
        }
        "recordText" => to_string(detector.record_text(word(args, 0)?))?,
        "pushText" => {
            let channel = match args.get(1).map(text).transpose()? {
                Some("reasoning") => Channel::Reasoning,
                Some("arguments") => Channel::Arguments,
                _ => Channel::Text,
            };
            to_string(detector.push_text(word(args, 0)?, channel))?
        }
        "beginTurn" => to_string(detector.begin_turn())?,
        "extend" => to_string(&detector.extend(turns(args.first())?))?,
        "isStuck" => to_string(&detector.is_stuck())?,
        "recentNames" => to_string(&detector.recent_names())?,
        "userMessage" => {
            detector.user_message();
            "null".into()
        }
        "clearAfterFeedback" => {
            detector.clear_after_feedback();
            "null".into()
        }
        "reset" => {
            detector.reset();
            "null".into()
        }
        _ => return Err(format!("a LoopDetector has no {method}").into()),
    })
}

fn ask_swarm(swarm: &mut SwarmDetector, method: &str, args: &[Value]) -> Result<String, Failure> {
    Ok(match method {
        "record" => {
            let arguments = Raw::of(args.get(2));
            to_string(swarm.record(word(args, 0)?, word(args, 1)?, arguments.args()))?
        }
        "recordFingerprint" => {
            let (worker, tool) = (word(args, 0)?, word(args, 1)?);
            to_string(swarm.record_fingerprint(worker, tool, word(args, 2)?))?
        }
        "info" => to_string(&swarm.info(word(args, 0)?))?,
        "loops" => to_string(&swarm.loops())?,
        "stats" => to_string(&swarm.stats())?,
        "clear" => {
            swarm.clear();
            "null".into()
        }
        _ => return Err(format!("a SwarmDetector has no {method}").into()),
    })
}

/// Arguments or an output as the text that the façade makes of them.
struct Raw(Option<String>);

impl Raw {
    fn of(value: Option<&Value>) -> Self {
        Self(value.map(|value| match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        }))
    }

    fn text(&self) -> Option<&str> {
        self.0.as_deref()
    }

    fn args(&self) -> Args<'_> {
        self.text().map_or(Args::None, Args::Text)
    }
}

fn turns(by: Option<&Value>) -> Result<u32, Failure> {
    match by {
        Some(Value::Number(turns)) => Ok(u32::try_from(turns.as_u64().unwrap_or(0))?),
        Some(Value::String(by)) if by == "continue_50" => Ok(50),
        Some(Value::String(by)) if by == "continue_200" => Ok(200),
        Some(Value::String(by)) if by == "stop" => Ok(0),
        _ => Err("extend wants to know by how much".into()),
    }
}

fn list<'a>(value: &'a Value, name: &str) -> Result<&'a [Value], Failure> {
    items(value.get(name).ok_or_else(|| format!("{name} is missing"))?)
}

fn items(value: &Value) -> Result<&[Value], Failure> {
    match value {
        Value::Array(items) => Ok(items),
        _ => Err(format!("expected a list; got {value}").into()),
    }
}

fn text(value: &Value) -> Result<&str, Failure> {
    match value {
        Value::String(text) => Ok(text),
        _ => Err(format!("expected a text; got {value}").into()),
    }
}

fn word(args: &[Value], at: usize) -> Result<&str, Failure> {
    text(args.get(at).ok_or_else(|| format!("argument {at} is missing"))?)
}
