//! Streams of events, made from bytes: a run and one that is saved and restored must agree
//! at every event.
#![no_main]

use libfuzzer_sys::fuzz_target;
use loophound::{Call, Channel, LoopDetector, Preset, ToolResult, Verdict};

const TOOLS: &[&str] = &["bash", "read_file", "edit", "pytest", "get_status", "grep", "", "é"];

fn text(byte: u8) -> String {
    match byte % 8 {
        0 => String::new(),
        1 => format!("{{\"command\":\"npm test {}\"}}", byte >> 6),
        2 => format!("{{\"path\":\"a{}.ts\",\"old_str\":\"x\",\"new_str\":\"y\"}}", byte >> 5),
        3 => format!("Error: no such file a{}", byte >> 6),
        4 => format!("{} passed, {} failed", byte >> 5, byte & 3),
        5 => "ok".into(),
        6 => format!("line {byte}\n").repeat(usize::from(byte >> 5)),
        _ => format!("HTTP 429 at 12:00:{byte}"),
    }
}

fn play(detector: &mut LoopDetector, event: [u8; 3]) -> Verdict {
    let [kind, first, second] = event;
    let (one, two) = (text(first), text(second));
    let id = one.get(..1).filter(|_| kind & 64 != 0);
    match kind % 8 {
        0 | 1 | 2 => {
            let name = TOOLS.get(usize::from(first >> 5)).copied().unwrap_or_default();
            detector.record_call(&Call { name, args: two.as_str().into(), id, ..Call::default() }).clone()
        }
        3 | 4 => {
            let ok = [None, Some(true), Some(false)].get(usize::from(first % 3)).copied().flatten();
            detector
                .record_result(&ToolResult { id, name: None, ok, output: Some(&two), at: None })
                .clone()
        }
        5 => detector.push_text(&two, Channel::Text).clone(),
        6 => detector.record_text(&two).clone(),
        _ => match first % 5 {
            0 => detector.begin_turn().clone(),
            1 => {
                detector.begin_batch();
                detector.record("read_file", one.as_str());
                detector.record("read_file", two.as_str());
                detector.end_batch().clone()
            }
            2 => {
                detector.user_message();
                detector.verdict().clone()
            }
            3 => {
                detector.clear_after_feedback();
                detector.verdict().clone()
            }
            _ => {
                detector.extend(second.into());
                detector.verdict().clone()
            }
        },
    }
}

fuzz_target!(|data: &[u8]| {
    let Some((first, rest)) = data.split_first() else { return };
    let preset = Preset::ALL[usize::from(*first) % Preset::ALL.len()];
    let fresh = || {
        let mut detector = LoopDetector::with_preset(preset);
        detector.set_clock(|| 7);
        detector
    };
    let (mut unbroken, mut hopping) = (fresh(), fresh());
    for (at, event) in rest.chunks_exact(3).enumerate() {
        let event = [event[0], event[1], event[2]];
        if at % 16 == usize::from(*first >> 4) {
            let saved = hopping.snapshot();
            hopping = fresh();
            hopping.restore(&saved).expect("our own snapshot");
        }
        assert_eq!(play(&mut unbroken, event), play(&mut hopping, event));
        assert_eq!(unbroken.is_stuck(), hopping.is_stuck());
    }
    assert_eq!(unbroken.snapshot(), hopping.snapshot());
});
