//! The calls of one model turn, recorded one after the other.

use loophound::{Action, Call, LoopDetector, LoopKind, Preset};

#[test]
fn a_call_inside_a_batch_gets_its_own_verdict() {
    let mut detector = LoopDetector::with_preset(Preset::Nudge);
    let read = Call::new("read_file", r#"{"path":"a"}"#);
    let search = Call::new("grep", r#"{"pattern":"b"}"#);
    detector.record_call(&read);
    detector.record_call(&read);
    detector.begin_batch();
    let first = detector.record_call(&read).clone();
    let second = detector.record_call(&search).clone();
    let whole = detector.end_batch().clone();
    assert_eq!((first.action, first.kind), (Action::Nudge, Some(LoopKind::ExactRepeat)));
    assert_eq!((second.action, second.kind), (Action::Continue, None));
    assert_eq!(whole, first);
}

#[test]
fn where_a_batch_is_judged_at_its_end_its_calls_are_not() {
    let mut detector = LoopDetector::with_preset(Preset::Guard);
    let read = Call::new("read_file", r#"{"path":"a"}"#);
    detector.begin_batch();
    for _ in 0..5 {
        assert_eq!(detector.record_call(&read).action, Action::Continue);
    }
    assert_eq!(detector.end_batch().action, Action::Nudge);
    // An earlier verdict is not reused for the calls of the next batch.
    detector.begin_batch();
    assert_eq!(detector.record_call(&read).action, Action::Continue);
}
