//! A warm detector allocates nothing while there is nothing to report.
#![allow(unsafe_code, reason = "an allocator that counts cannot be written without")]
#![allow(clippy::indexing_slicing, reason = "a test may panic")]

use loophound::{Action, Channel, LoopDetector, Preset, ToolResult};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

struct Counting;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is handed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Returns different calls of every length up to a few hundred bytes, nested and escaped.
fn calls() -> Vec<(&'static str, String)> {
    (0..2_000)
        .map(|number| match number % 4 {
            0 => ("read_file", format!(r#"{{"path":"src/file{number}.ts","offset":{number}}}"#)),
            1 => ("bash", format!(r#"{{"command":"npm run build -- --only part{number}"}}"#)),
            2 => (
                "edit_file",
                format!(
                    r#"{{"path":"a\n{number}","edits":[{{"x":{{"y":[1,2.5,null]}}}}],"t":"{}"}}"#,
                    "x".repeat(number % 400)
                ),
            ),
            _ => ("search", format!("not json {number}")),
        })
        .collect()
}

/// Returns results of every kind that patterns look at; all but the plain ones are new.
fn results() -> Vec<(Option<bool>, Option<String>)> {
    (0..2_000)
        .map(|number| match number % 7 {
            0 => {
                (Some(false), Some(format!("Error: no such thing as thing{number}\nof `{number}`")))
            }
            1 => (Some(false), Some(format!("HTTP 503 from host{number}"))),
            2 => (
                Some(true),
                Some(format!("took 0.12s, 12:30:01, warning {number} of /tmp/tmpa1b2")),
            ),
            3 => (None, None),
            4 => (None, Some(String::from("ok"))),
            5 => (None, Some("some line of a log\n".repeat(1 + number % 40))),
            _ => (None, Some(format!("{number} passed"))),
        })
        .collect()
}

/// Returns words that rarely repeat, with code, lists and other scripts in between.
fn chunks() -> Vec<String> {
    let mut state = 1u32;
    let mut word = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        format!("w{:x}", state >> 12)
    };
    (0..20_000)
        .map(|number| match number % 40 {
            0 => format!("\n```js\nconst {} = 1\n```\n", word()),
            13 => format!("\n- {} 漢字 👩‍💻 ", word()),
            27 => (0..60).map(|_| word()).collect(),
            _ => format!("{} {}, ", word(), word()),
        })
        .collect()
}

// One test only: others in this file would allocate at the same time.
/// Calls `record` with each number; returns how many allocations the second half makes, on
/// a warm detector.
fn allocations_when_warm(mut record: impl FnMut(usize)) -> usize {
    (0..1_000).for_each(&mut record);
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    (1_000..2_000).for_each(&mut record);
    ALLOCATIONS.load(Ordering::Relaxed) - before
}

// One test only: others in this file would allocate at the same time.
#[test]
fn a_warm_detector_allocates_nothing() {
    let calls = calls();
    for preset in Preset::ALL {
        let mut detector = LoopDetector::with_preset(*preset);
        let count = allocations_when_warm(|number| {
            let (name, args) = &calls[number];
            let action = detector.record(name, args.as_str()).action;
            let result = ToolResult { output: Some(args), ..ToolResult::default() };
            // Every other result is missing, as with hosts that forget.
            let after =
                if number % 2 == 0 { detector.record_result(&result).action } else { action };
            assert_eq!((action, after), (Action::Continue, Action::Continue));
        });
        assert_eq!(count, 0, "{}", preset.name());
    }

    let results = results();
    let mut detector = LoopDetector::with_preset(Preset::Balanced);
    let count = allocations_when_warm(|number| {
        let (name, args) = &calls[number];
        let (ok, output) = &results[number];
        detector.begin_batch();
        detector.record(name, args.as_str());
        detector.record("edit_file", args.as_str());
        let action = detector.end_batch().action;
        let result = ToolResult { ok: *ok, output: output.as_deref(), ..ToolResult::default() };
        let after = detector.record_result(&result).action;
        let last = detector.record_result(&result).action;
        assert_eq!([action, after, last], [Action::Continue; 3], "{number}");
    });
    assert_eq!(count, 0, "balanced, with results");

    let chunks = chunks();
    let mut detector = LoopDetector::with_preset(Preset::Balanced);
    let mut push = |(number, chunk): (usize, &String)| {
        // Arguments come at the end: text between them ends their stream.
        let channel = if number % 10 > 6 { Channel::Arguments } else { Channel::ALL[number % 2] };
        assert_eq!(detector.push_text(chunk, channel).action, Action::Continue);
        if number % 97 == 0 {
            assert_eq!(detector.record_text(chunk).action, Action::Continue);
        }
    };
    let (first, rest) = chunks.split_at(1_000);
    first.iter().enumerate().for_each(&mut push);
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    rest.iter().enumerate().for_each(&mut push);
    let after = ALLOCATIONS.load(Ordering::Relaxed);
    assert_eq!(after - before, 0, "streamed text");
}
