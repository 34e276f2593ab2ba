//! Streamed text, cut at arbitrary places: the first byte says how long the pieces are.
#![no_main]

use libfuzzer_sys::fuzz_target;
use loophound::{Channel, LoopDetector, Preset};

fuzz_target!(|data: (u8, &str)| {
    let (length, text) = data;
    let mut detector = LoopDetector::with_preset(Preset::Balanced);
    let mut piece = String::new();
    for _ in 0..4 {
        for character in text.chars() {
            piece.push(character);
            if piece.len() > usize::from(length) {
                detector.push_text(&piece, Channel::Text);
                detector.push_text(&piece, Channel::Reasoning);
                detector.push_text(&piece, Channel::Arguments);
                piece.clear();
            }
        }
    }
    let saved = detector.snapshot();
    let mut copy = LoopDetector::with_preset(Preset::Balanced);
    copy.restore(&saved).expect("our own snapshot");
    assert_eq!(copy.snapshot(), saved);
    assert_eq!(copy.push_text(text, Channel::Text), detector.push_text(text, Channel::Text));
    detector.record_text(text);
    detector.record_text(text);
});
