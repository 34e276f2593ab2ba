//! Text loops: compared with a brute-force search, under any chunking, and through
//! a snapshot at any point.
#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "a test may panic")]

use loophound::{Action, Channel, Level, LoopDetector, LoopKind, Preset, TextDetails, Verdict};
use proptest::prelude::*;

fn snapshot_size(detector: &LoopDetector) -> usize {
    serde_json::to_string(&detector.snapshot()).expect("plain data").len()
}

/// The limits for the default threshold, as documented.
const REPEATS: usize = 10;
const SHORT: usize = 120;
const TINY: usize = 200;
const COPIED: usize = 410;
/// How many characters are compared at least, and how far back.
const SEQUENCE: usize = 8;
const FARTHEST: usize = 3_600;

fn detector() -> LoopDetector {
    let mut detector = LoopDetector::with_preset(Preset::Balanced);
    detector.set_clock(|| 0);
    detector
}

/// Returns each verdict that is not `continue`, and after how many characters it came.
fn each_character(text: &str) -> Vec<(usize, Verdict)> {
    let mut detector = detector();
    let mut found = Vec::new();
    for (at, c) in text.chars().enumerate() {
        let verdict = detector.push_text(c.encode_utf8(&mut [0; 4]), Channel::Text);
        if verdict.action != Action::Continue {
            found.push((at + 1, verdict.clone()));
        }
    }
    found
}

/// Counts the characters at the end that equal those a distance before them.
fn run_length(text: &[u8], distance: usize) -> usize {
    let pairs = text.iter().rev().zip(text.iter().rev().skip(distance));
    pairs.take_while(|(one, other)| one == other).count()
}

/// Returns whether a text of letters and single gaps ends in a loop, by comparing it with
/// itself at every distance. `spare` asks for that much more than needed.
fn ends_in_a_loop(text: &[u8], spare: usize) -> bool {
    let tiny = run_length(text, 1).max(run_length(text, 2));
    (1..=FARTHEST.min(text.len() / 2)).any(|unit| {
        let length = run_length(text, unit);
        let least = if tiny + unit >= length { TINY } else { SHORT };
        let letters = text[text.len() - length..].iter().filter(|c| **c != b' ').count();
        let repeats = length >= unit * (REPEATS - 1) + spare
            && length + unit >= least + spare
            && letters * 4 >= length + spare;
        let copied = length * 4 >= unit * REPEATS + spare * 4 && length >= COPIED + spare;
        repeats || copied
    })
}

/// Counts the characters at the end that are all part of a sequence seen before.
fn stale_length(text: &[u8]) -> usize {
    let known = |at: usize| {
        let sequence = &text[at..at + SEQUENCE];
        (at.saturating_sub(FARTHEST)..at).any(|before| &text[before..before + SEQUENCE] == sequence)
    };
    let covered = |at: usize| {
        (at.saturating_sub(SEQUENCE - 1)..=at.min(text.len().saturating_sub(SEQUENCE))).any(known)
    };
    (0..text.len()).rev().take_while(|at| covered(*at)).count()
}

/// Makes texts: a beginning, then a unit that repeats, with occasional slips.
fn repetitive_texts() -> impl Strategy<Value = String> {
    let word = "[a-d]{1,4}";
    let words = proptest::collection::vec(word, 0..40).prop_map(|words| words.join(" "));
    let unit = proptest::collection::vec(word, 1..12).prop_map(|words| words.join(" "));
    (words, unit, 0usize..30, any::<bool>(), "[a-d]{0,3}").prop_map(
        |(words, unit, times, gap, slip)| {
            let unit = if gap { unit + " " } else { unit };
            let text = format!("{words} {}{slip} {}", unit.repeat(times), unit.repeat(times));
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        },
    )
}

/// Makes nested repeats, each with its own word at the end: the outermost unit, and how
/// many times it repeats.
fn nested_units() -> impl Strategy<Value = (String, usize)> {
    let layers = proptest::collection::vec((1usize..4, "[a-d]{1,4}"), 3..8);
    ("[a-d]{2,9}", layers, 1usize..12).prop_map(|(core, layers, times)| {
        let mut unit = core + " ";
        for (times, word) in layers {
            let next = format!("{}{word} ", unit.repeat(times));
            if next.len() > 300 {
                break;
            }
            unit = next;
        }
        (unit, times)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn finds_what_a_brute_force_search_finds(text in repetitive_texts()) {
        let bytes = text.as_bytes();
        let found = each_character(&text);
        let first = found.iter().find(|(_, verdict)| verdict.level > Level::Notice);
        if let Some((end, _)) = first {
            // The unit itself, of up to 60 letters, is not a repeat; a gap is added late.
            let repeated = stale_length(&bytes[..end - 1]);
            prop_assert!(repeated + 60 >= SHORT, "no repeats before {end} of {text}");
        }
        let until = first.map_or(bytes.len(), |(end, _)| end - 1);
        // A gap is added with the letter after it, and a repeat is noticed once a sequence
        // of it has been seen.
        for end in 1..=until {
            prop_assert!(!ends_in_a_loop(&bytes[..end], 2 * SEQUENCE), "missed a loop at {end} of {text}");
        }
    }

    /// Only a few repeats are tracked at a time. If there are more, the outermost is found
    /// at most one unit later.
    #[test]
    fn misses_no_repeats_within_repeats((unit, times) in nested_units()) {
        let text = unit.repeat(times);
        let found = each_character(&text);
        let first = found.iter().find(|(_, verdict)| verdict.level > Level::Notice);
        let until = first.map_or(text.len(), |(end, _)| end - 1);
        let spare = unit.len() + 2 * SEQUENCE;
        for end in 1..=until {
            prop_assert!(!ends_in_a_loop(&text.as_bytes()[..end], spare), "missed a loop at {end} of {text}");
        }
    }
}

proptest! {
    /// Sentences that recur in no fixed order: nothing repeats at one distance.
    #[test]
    fn sentences_in_any_order_are_found(order in proptest::collection::vec(0usize..4, 80)) {
        let sentences = [
            "I look at the path again. ",
            "The module is not there. ",
            "Maybe another file is read. ",
            "Then I run the build. ",
        ];
        let mut text = String::from("The parser drops the trailing comma, which the test expects. ");
        let begin = text.len();
        order.iter().for_each(|next| text.push_str(sentences[*next]));
        let found = each_character(&text);
        let Some((end, verdict)) = found.first() else { panic!("nothing found in {text}") };
        prop_assert_eq!(verdict.kind, Some(LoopKind::Chant));
        // Each has been said at least once, and more than it takes to say all of them.
        prop_assert!(*end > begin + SHORT, "after {end} characters of {text}");
        let details = verdict.details.as_ref().expect("where it is");
        prop_assert!(details.since < *end as u64 && details.repeats > 1, "{details:?}");
        prop_assert!(text.contains(details.unit.trim_end_matches('…')), "{details:?} of {text}");
    }
}

/// Counts the passes in which a number does not advance: it neither went up, nor down by
/// the same step as before or after.
fn stalls(numbers: &[i32]) -> usize {
    let steps: Vec<i32> = numbers.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let goes_on = |at: usize| {
        let step = steps[at];
        let is_steady = at.checked_sub(1).is_some_and(|before| steps[before] == step)
            || steps.get(at + 1) == Some(&step);
        step > 0 || (step < 0 && is_steady)
    };
    (0..steps.len()).filter(|at| !goes_on(*at)).count()
}

/// Makes numbers that mostly count up or down, and arbitrary numbers.
fn numbers() -> impl Strategy<Value = Vec<i32>> {
    let steps = prop_oneof![
        4 => proptest::collection::vec(prop_oneof![30 => 1i32..9, 1 => -9i32..1], 12..80),
        1 => (-9i32..0, 12usize..80).prop_map(|(step, times)| vec![step; times]),
        2 => proptest::collection::vec(-9i32..9, 12..80),
    ];
    steps.prop_map(|steps| {
        let sums = steps.iter().scan(800, |number, step| {
            *number += step;
            Some(*number)
        });
        sums.collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// A sentence around a number is a loop exactly if the number does not count.
    #[test]
    fn numbers_that_count_are_progress(numbers in numbers()) {
        let sentence = |number: &i32| format!("I now look at part {number} of the whole thing. ");
        let text: String = numbers.iter().map(sentence).collect();
        let found = each_character(&text);
        let first = found.iter().find(|(_, verdict)| verdict.level > Level::Notice);
        let passes = first.map_or(numbers.len(), |(end, _)| text.get(..*end).unwrap_or_default().matches("part").count());
        // What is found has stalled twice, and one pass may be unfinished; a third stall
        // may be tolerated after many passes.
        if first.is_some() {
            prop_assert!(passes >= 9 && stalls(&numbers[..passes]) >= 1, "{numbers:?}");
        }
        prop_assert!(passes < 12 || stalls(&numbers[..passes - 2]) <= 3, "{numbers:?}");
    }

    /// In arguments, a unit without end is found, and neither before the shortest limit
    /// nor if a number in it changes.
    #[test]
    fn endless_arguments_are_found(unit in "[a-z]{2,9}( [a-z]{1,9}){0,9}[.,] ", opening in "[a-z{\":]{0,20}") {
        let passes = 70 + 26_000 / unit.len();
        let mut detector = detector();
        let mut end = opening.len();
        detector.push_text(&opening, Channel::Arguments);
        while detector.push_text(&unit, Channel::Arguments).action == Action::Continue {
            end += unit.len();
            prop_assert!(end < passes * unit.len(), "{unit}");
        }
        let verdict = detector.verdict().clone();
        prop_assert!(end > 1_900, "{verdict:?}");
        prop_assert_eq!(verdict.details.map(|details| details.channel), Some(Channel::Arguments));
        let counted: String = (0..passes).map(|pass| format!("{unit}{pass}")).collect();
        detector.begin_turn();
        prop_assert_eq!(detector.push_text(&counted, Channel::Arguments).action, Action::Continue);
    }
}

/// Returns after which of these turns, equal except for one number, a summary loop is
/// found: three in a row of which none keeps counting.
fn first_summary_loop(numbers: &[i32]) -> Option<usize> {
    let mut count = 0;
    for (at, number) in numbers.iter().enumerate() {
        let earlier = &numbers[at.saturating_sub(3)..at];
        let counts_up = earlier.iter().all(|before| before < number);
        let counts_down = at >= 2
            && *number < numbers[at - 1]
            && number - numbers[at - 1] == numbers[at - 1] - numbers[at - 2];
        count = if counts_up || counts_down { 1 } else { count + 1 };
        if count == 3 {
            return Some(at);
        }
    }
    None
}

proptest! {
    #[test]
    fn turns_that_count_are_no_summary_loop(numbers in numbers(), few in proptest::collection::vec(1i32..5, 3..20)) {
        for numbers in [numbers, few] {
            let mut detector = detector();
            let turn = |number: &i32| format!("Part {number} of the set is uploaded to the store by now.");
            let first = numbers
                .iter()
                .position(|number| detector.record_text(&turn(number)).kind == Some(LoopKind::Summary));
            prop_assert_eq!(first, first_summary_loop(&numbers), "{:?}", numbers);
        }
    }
}

#[test]
fn control_characters_are_found_early_in_every_channel() {
    for (channel, most) in
        [(Channel::Text, 100), (Channel::Reasoning, 100), (Channel::Arguments, 256)]
    {
        for c in ["\0", "\u{1}", "\u{1B}", "\u{7F}"] {
            let mut detector = detector();
            let mut count = 1;
            while detector.push_text(c, channel).action == Action::Continue {
                count += 1;
                assert!(count <= most, "{c:?} in {channel:?}");
            }
            assert_eq!(count, most, "{c:?} in {channel:?}");
        }
    }
}

/// Makes any text: loops in any script, code, lists, numbers, surrogate pairs.
fn texts() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-z ]{1,60}",
        "\\PC{1,20}",
        Just(String::from("\n```\n")),
        Just(String::from("\n- item ")),
        Just(String::from("| a | b |\n")),
        Just(String::from("我会再次检查。")),
        Just(String::from("👩‍💻🇫🇷e\u{301}")),
        "[0-9]{1,12} ",
        "[ \n\t]{1,12}",
    ];
    let repeated = (piece.clone(), 1usize..60).prop_map(|(piece, times)| piece.repeat(times));
    let counted = ("[a-z ]{10,60}", 1usize..30).prop_map(|(text, times)| {
        (0..times).map(|pass| format!("{text}{pass} and so on. ")).collect::<String>()
    });
    let any = prop_oneof![3 => piece, 3 => repeated, 1 => counted];
    proptest::collection::vec(any, 1..8).prop_map(|pieces| pieces.concat())
}

/// Returns the letters and ASCII signs of a text, which are shown as they are.
fn plain(text: &str) -> String {
    let is_blank = |c| matches!(c, '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}');
    let is_plain = |c: &char| c.is_ascii_graphic() || c.is_alphabetic() && !is_blank(*c);
    text.chars().filter(is_plain).collect()
}

/// Cuts a text at characters, into pieces of the given lengths in turn.
fn chunks<'a>(text: &'a str, lengths: &[usize]) -> Vec<&'a str> {
    let mut rest = text;
    let mut found = Vec::new();
    for length in lengths.iter().cycle() {
        if rest.is_empty() {
            break;
        }
        let end = rest.char_indices().nth(*length).map_or(rest.len(), |(at, _)| at);
        let (chunk, tail) = rest.split_at(end);
        found.push(chunk);
        rest = tail;
    }
    found
}

fn hardest(found: &[(usize, Verdict)], from: usize, to: usize) -> Option<&TextDetails> {
    let inside = || found.iter().filter(|(end, _)| (from + 1..=to).contains(end));
    let repeats = inside().find(|(_, verdict)| verdict.period == 1);
    repeats.or_else(|| inside().next()).and_then(|(_, verdict)| verdict.details.as_ref())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// A chunk reports the first loop whose last character is in it, whatever the earlier
    /// chunks.
    #[test]
    fn chunks_make_no_difference(text in texts(), lengths in proptest::collection::vec(1usize..400, 1..20)) {
        let found = each_character(&text);
        let mut detector = detector();
        let mut at = 0;
        for chunk in chunks(&text, &lengths) {
            let end = at + chunk.chars().count();
            let verdict = detector.push_text(chunk, Channel::Text);
            prop_assert_eq!(verdict.details.as_ref(), hardest(&found, at, end));
            at = end;
        }
    }

    #[test]
    fn a_hop_in_the_middle_of_a_stream_changes_nothing(text in texts(), hop in 0usize..600) {
        let mut whole = detector();
        let mut first = detector();
        let (before, after) = text.split_at(text.char_indices().nth(hop).map_or(text.len(), |(at, _)| at));
        whole.push_text(before, Channel::Text);
        first.push_text(before, Channel::Text);
        let mut second = detector();
        second.restore(&first.snapshot()).expect("just made");
        prop_assert_eq!(second.snapshot(), first.snapshot());
        for c in after.chars() {
            let mut buffer = [0; 4];
            let c = c.encode_utf8(&mut buffer);
            let verdict = whole.push_text(c, Channel::Text).clone();
            prop_assert_eq!(second.push_text(c, Channel::Text), &verdict);
        }
        prop_assert_eq!(second.snapshot(), whole.snapshot());
    }

    #[test]
    fn offsets_are_those_of_the_text(text in texts()) {
        for (end, verdict) in each_character(&text) {
            let details = verdict.details.expect("a text loop");
            let end = text.chars().take(end).map(char::len_utf16).sum::<usize>();
            prop_assert!(details.since as usize + details.wasted as usize <= end);
            prop_assert!(details.unit.encode_utf16().count() <= 81);
            let shown = plain(details.unit.trim_end_matches('…'));
            prop_assert!(plain(&text).contains(&shown), "{shown:?}");
            prop_assert!(!details.unit.contains(char::is_control));
        }
    }
}

#[test]
fn white_space_without_end_is_found_where_it_began() {
    let opening = "The result follows.";
    let found = each_character(&format!("{opening}{}", "\n ".repeat(1_100)));
    let [(end, verdict)] = found.as_slice() else { panic!("{found:?}") };
    let details = verdict.details.as_ref().expect("where it is");
    assert_eq!((*end, details.since), (opening.len() + 800, opening.len() as u64));
}

/// A loop is reported once; after enough new text, the next one is reported again.
#[test]
fn a_stream_that_left_a_loop_is_watched_again() {
    let first = "I will now check the file again. ".repeat(20);
    let other = "Let me look at the next module. ".repeat(20);
    let number = |n: u32| format!("{:x}", n.wrapping_mul(2_654_435_761));
    let new_text: String = (1..80).map(|n| format!("word{} ", number(n))).collect();
    let loops = |text: &str| {
        let found = each_character(text);
        found.iter().filter(|(_, verdict)| verdict.level > Level::Notice).count()
    };
    assert_eq!(loops(&format!("{first}{other}")), 1);
    assert_eq!(loops(&format!("{first}{new_text}{other}")), 2);
    assert_eq!(loops(&format!("{first}{new_text}")), 1);
}

#[test]
fn channels_are_separate() {
    let mut detector = detector();
    for _ in 0..8 {
        for channel in [Channel::Text, Channel::Reasoning] {
            let verdict = detector.push_text("I will check the file again. ", channel);
            assert_eq!(verdict.action, Action::Continue);
        }
    }
    let mut first = None;
    for _ in 0..4 {
        let verdict = detector.push_text("I will check the file again. ", Channel::Reasoning);
        first = first.or(verdict.details.clone());
    }
    assert_eq!(first.expect("a text loop").channel, Channel::Reasoning);
    assert_eq!(detector.push_text("Done.", Channel::Text).action, Action::Continue);
}

#[test]
fn a_stream_ends_with_the_next_event() {
    let half = "I will check the file again. ".repeat(7);
    let ends: [fn(&mut LoopDetector); 5] = [
        |detector| drop(detector.record("read", "{}").clone()),
        |detector| drop(detector.begin_turn().clone()),
        |detector| drop(detector.record_text("Hm.").clone()),
        LoopDetector::user_message,
        LoopDetector::clear_after_feedback,
    ];
    for end in ends {
        let mut detector = detector();
        assert_eq!(detector.push_text(&half, Channel::Text).action, Action::Continue);
        end(&mut detector);
        assert_eq!(detector.push_text(&half, Channel::Text).action, Action::Continue);
        assert_eq!(detector.push_text(&half, Channel::Text).kind, Some(LoopKind::Chant));
        assert!(detector.is_stuck());
        end(&mut detector);
        assert!(!detector.is_stuck());
    }
}

#[test]
fn a_second_loop_is_cut_a_third_stops_and_a_user_message_resets() {
    let text = "I will check the file again. ".repeat(12);
    let other = "yes agree ".repeat(20);
    let mut detector = detector();
    assert_eq!(detector.push_text(&text, Channel::Text).action, Action::Nudge);
    detector.begin_turn();
    assert_eq!(detector.push_text("All is well.", Channel::Text).action, Action::Continue);
    detector.begin_turn();
    let again = detector.push_text(&other, Channel::Reasoning);
    assert_eq!((again.action, again.level), (Action::Block, Level::Warning));
    detector.begin_turn();
    let again = detector.push_text(&text, Channel::Text);
    assert_eq!((again.action, again.level), (Action::Stop, Level::Critical));
    assert!(again.loop_detected());
    detector.user_message();
    assert_eq!(detector.push_text(&other, Channel::Text).action, Action::Nudge);
}

#[test]
fn the_threshold_moves_the_limits() {
    let mut config = Preset::Guard.config();
    let rule = config.rule_mut(LoopKind::Chant).expect("has a detector");
    assert!(!rule.on, "off in the seeds' presets");
    rule.on = true;
    rule.threshold = 4;
    let mut detector = LoopDetector::new(config).expect("valid");
    let sentence = "I will check the file again, and then once more. ";
    let mut said = 0;
    while detector.push_text(sentence, Channel::Text).action == Action::Continue {
        said += 1;
        assert!(said < 10);
    }
    assert!((3..6).contains(&said), "{said}");
}

#[test]
fn a_megabyte_without_a_line_break() {
    let pieces = ["x", "word ", "漢", "👩‍💻", "\u{301}", "\0", "\u{FFFD}", "`", "|", "0", "}"];
    for piece in pieces {
        let text = piece.repeat(1_000_000 / piece.len());
        let mut detector = detector();
        assert_eq!(
            detector.push_text(&text, Channel::Text).kind,
            Some(LoopKind::Chant),
            "{piece:?}"
        );
        assert_eq!(detector.push_text(&text, Channel::Text).action, Action::Continue);
        let verdict = detector.record_text(&text);
        assert_eq!(verdict.kind, Some(LoopKind::Chant));
        assert!(snapshot_size(&detector) < 20_000);
    }
}
