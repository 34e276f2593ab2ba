//! What the native engine answers to the events of the runtime suite: plays
//! `events.json` (its path is the argument) as `scenario.mjs` does, and prints
//! the same text. Every runtime's verdicts are compared with it byte for byte.

use loophound::{
    Args, Call, Channel, Config, Error, FingerprintInfo, LoopDetector, Snapshot, SwarmConfig,
    SwarmDetector, ToolResult, Value, compute_tool_fingerprint,
};

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let path = std::env::args().nth(1).ok_or("expected the path of events.json")?;
    let events = parse(&std::fs::read_to_string(path)?)?;
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
            let name = run.get("name").cloned().unwrap_or_default();
            let line = [("run", name), ("method", method.clone()), ("answer", answer)];
            let fields = line.into_iter().map(|(key, value)| (key.to_string(), value));
            lines.push(Value::Map(fields.collect()).to_json());
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
                for _ in 0..*times as u32 {
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
            let config = SwarmConfig::from_value(options).map_err(told)?;
            let swarm = SwarmDetector::new(config, [1, 2]).map_err(told)?;
            return Ok(Self::Swarm(Box::new(swarm)));
        }
        let options = run.get("detector").ok_or("a run has a detector or a swarm")?;
        let config = Config::from_value(options).map_err(told)?;
        Ok(Self::Detector(Box::new(LoopDetector::new(config).map_err(told)?)))
    }

    fn ask(&mut self, method: &str, args: &[Value]) -> Result<Value, Failure> {
        if method == "computeToolFingerprint" {
            let arguments = Raw::of(args.get(1));
            return Ok(compute_tool_fingerprint(word(args, 0)?, arguments.args()).into());
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
            Self::Detector(detector) => detector.restore(snapshot).map_err(told),
            Self::Swarm(swarm) => swarm.restore(snapshot).map_err(told),
        }
    }
}

fn ask_detector(
    detector: &mut LoopDetector,
    method: &str,
    args: &[Value],
) -> Result<Value, Failure> {
    Ok(match method {
        "record" => {
            let arguments = Raw::of(args.get(1));
            let id = args.get(2).map(text).transpose()?;
            let call = Call { name: word(args, 0)?, args: arguments.args(), id };
            detector.record_call(&call).to_value()
        }
        "recordBatch" => {
            detector.begin_batch();
            for call in items(args.first().ok_or("a batch has calls")?)? {
                let arguments = Raw::of(call.get("args"));
                let name = text(call.get("name").ok_or("a call has a name")?)?;
                let id = call.get("id").map(text).transpose()?;
                detector.record_call(&Call { name, args: arguments.args(), id });
            }
            detector.end_batch().to_value()
        }
        "recordResult" => {
            let result = args.first().ok_or("a result is missing")?;
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
            };
            detector.record_result(&result).to_value()
        }
        "recordText" => detector.record_text(word(args, 0)?).to_value(),
        "pushText" => {
            let channel = match args.get(1).map(text).transpose()? {
                Some("reasoning") => Channel::Reasoning,
                _ => Channel::Text,
            };
            detector.push_text(word(args, 0)?, channel).to_value()
        }
        "beginTurn" => detector.begin_turn().to_value(),
        "extend" => detector.extend(turns(args.first())?).into(),
        "isStuck" => detector.is_stuck().into(),
        "recentNames" => detector.recent_names().into_iter().map(Value::from).collect(),
        "userMessage" => {
            detector.user_message();
            Value::Null
        }
        "clearAfterFeedback" => {
            detector.clear_after_feedback();
            Value::Null
        }
        "reset" => {
            detector.reset();
            Value::Null
        }
        _ => return Err(format!("a LoopDetector has no {method}").into()),
    })
}

fn ask_swarm(swarm: &mut SwarmDetector, method: &str, args: &[Value]) -> Result<Value, Failure> {
    Ok(match method {
        "record" => {
            let arguments = Raw::of(args.get(2));
            swarm.record(word(args, 0)?, word(args, 1)?, arguments.args()).to_value()
        }
        "recordFingerprint" => {
            let (worker, tool) = (word(args, 0)?, word(args, 1)?);
            swarm.record_fingerprint(worker, tool, word(args, 2)?).to_value()
        }
        "info" => swarm.info(word(args, 0)?).map(|info| info.to_value()).unwrap_or_default(),
        "loops" => swarm.loops().iter().map(FingerprintInfo::to_value).collect(),
        "stats" => swarm.stats().to_value(),
        "clear" => {
            swarm.clear();
            Value::Null
        }
        _ => return Err(format!("a SwarmDetector has no {method}").into()),
    })
}

/// Arguments or an output as the text that the façade makes of them.
struct Raw(Option<String>);

impl Raw {
    fn of(value: Option<&Value>) -> Self {
        Self(value.map(|value| match value {
            Value::Text(text) => text.clone(),
            other => other.to_json(),
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
        Some(Value::Number(turns)) => Ok(*turns as u32),
        Some(Value::Text(by)) if by == "continue_50" => Ok(50),
        Some(Value::Text(by)) if by == "continue_200" => Ok(200),
        Some(Value::Text(by)) if by == "stop" => Ok(0),
        _ => Err("extend wants to know by how much".into()),
    }
}

fn parse(json: &str) -> Result<Value, Failure> {
    Value::parse_json(json).map_err(told)
}

fn told(error: Error) -> Failure {
    error.message().to_string().into()
}

fn list<'a>(value: &'a Value, name: &str) -> Result<&'a [Value], Failure> {
    items(value.get(name).ok_or_else(|| format!("{name} is missing"))?)
}

fn items(value: &Value) -> Result<&[Value], Failure> {
    match value {
        Value::List(items) => Ok(items),
        _ => Err(format!("expected a list; got {}", value.to_json()).into()),
    }
}

fn text(value: &Value) -> Result<&str, Failure> {
    match value {
        Value::Text(text) => Ok(text),
        _ => Err(format!("expected a text; got {}", value.to_json()).into()),
    }
}

fn word(args: &[Value], at: usize) -> Result<&str, Failure> {
    text(args.get(at).ok_or_else(|| format!("argument {at} is missing"))?)
}
