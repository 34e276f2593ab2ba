//! What a search answers, apart from what changes with every question: many answers repeat
//! the question, list the same lines in another order, or say in other words that there is
//! nothing.

use super::lines::is_json;
use super::output_signals::{has_words, reports_problems};
use crate::hash;
use crate::normalize::normalized_hash;
use memchr::{memchr_iter, memchr2};

/// How much of an answer is searched for the question.
const MAX_SEARCHED: usize = 512;

/// The shortest question that is looked for.
const MIN_QUESTION: usize = 4;

/// The longest answer that can say no more than that there is nothing, in bytes.
const MAX_NOTHING: usize = 160;

/// Stands for all answers that say so.
const NOTHING: u64 = 1;

/// From this number of line ends on, an answer is a list.
const LINE_ENDS: usize = 2;

/// A longer answer is not compared line by line.
const MAX_LIST: usize = 4 * 1024;

/// Hashes an answer so that equal hashes mean the same answer to different questions; 0 if
/// only answers with the same text are the same. `args` is the beginning of the call's
/// arguments.
pub(super) fn answer_hash(args: &str, answer: &str, is_negative: bool) -> u64 {
    let is_sentence = answer.len() <= MAX_NOTHING && !is_json(answer) && has_words(answer);
    if is_sentence && is_negative && !reports_problems(answer) {
        return NOTHING;
    }
    let echo = around_echo(args, answer);
    let (before, after) = echo.unwrap_or((answer, ""));
    let is_list = answer.len() <= MAX_LIST
        && memchr_iter(b'\n', answer.as_bytes()).nth(LINE_ENDS - 1).is_some();
    if is_list {
        return sum_of_lines(before).wrapping_add(sum_of_lines(after));
    }
    echo.map_or(0, |_| hash::pair(normalized_hash(before), normalized_hash(after)))
}

/// Splits an answer around the longest string in the arguments.
fn around_echo<'o>(args: &str, answer: &'o str) -> Option<(&'o str, &'o str)> {
    let question = longest_string(args);
    let searched = answer.get(..answer.floor_char_boundary(MAX_SEARCHED))?;
    let first = *question.as_bytes().first()?;
    let start = memchr_iter(first, searched.as_bytes())
        .find(|start| searched.get(*start..).is_some_and(|rest| rest.starts_with(question)))?;
    let rest = answer.get(start + question.len()..)?;
    // Of a long question, only the beginning is known.
    let is_cut = args.starts_with(['{', '[']) && args.ends_with(question);
    let end = if is_cut { memchr2(b'"', b'\n', rest.as_bytes()).unwrap_or(rest.len()) } else { 0 };
    (question.len() >= MIN_QUESTION).then_some((answer.get(..start)?, rest.get(end..)?))
}

/// Returns the longest part of a text between quotation marks, or up to one.
fn longest_string(text: &str) -> &str {
    let ends = memchr_iter(b'"', text.as_bytes()).chain([text.len()]);
    let mut start = 0;
    let mut longest = "";
    for end in ends {
        let part = text.get(start..end).unwrap_or_default();
        if part.len() >= longest.len() {
            longest = part;
        }
        start = end + 1;
    }
    longest
}

/// Sums the hashes of the lines, without the numbers of a numbered list. A sum has no order.
fn sum_of_lines(text: &str) -> u64 {
    let lines = text.as_bytes().split(|byte| *byte == b'\n').map(|line| {
        let line = line.trim_ascii();
        let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
        match line.get(digits..) {
            Some([b'.' | b')', rest @ ..]) if digits > 0 => rest,
            _ => line,
        }
    });
    lines.fold(0, |sum: u64, line| sum.wrapping_add(hash::bytes(line)))
}

#[cfg(test)]
mod tests {
    use super::super::output_signals::is_negative_result;
    use super::*;
    use alloc::format;
    use proptest::prelude::*;

    fn hash_of(query: &str, answer: &str) -> u64 {
        let args = format!("{{\"query\":\"{query}\",\"limit\":3}}");
        let answer = answer.replace("{}", query);
        answer_hash(&args, &answer, is_negative_result(&answer))
    }

    #[test]
    fn answers_that_differ_in_the_question_are_equal() {
        for answer in [
            "No results for \"{}\" in 12 files",
            "Results for {}:\n1. The manual, https://example.org/manual\n2. A question about it",
            "{}: there is one, in the yard",
        ] {
            let hash = hash_of("red fox", answer);
            assert_ne!(hash, 0, "{answer}");
            assert_eq!(hash, hash_of("a fox that is red", answer), "{answer}");
        }
        assert_ne!(hash_of("red fox", "{}: a"), hash_of("red fox", "{}: b"));
    }

    #[test]
    fn nothing_is_the_same_in_all_words() {
        assert_eq!(hash_of("x", "No files found"), hash_of("y", "No matches found."));
        assert_ne!(hash_of("x", "{\"next\":null,\"a\":1}"), NOTHING);
    }

    #[test]
    fn a_list_in_another_order_is_the_same() {
        let hash = hash_of("x", "1. one\n2. two\n3. three");
        assert_eq!(hash, hash_of("y", "1. three\n2. one\n3. two"));
        assert_ne!(hash, hash_of("y", "1. three\n2. one\n3. four"));
    }

    #[test]
    fn other_answers_are_compared_as_they_are() {
        assert_eq!(hash_of("red fox", "It is raining"), 0);
        assert_eq!(hash_of("fox", "Results for {}"), 0);
        assert_eq!(answer_hash("{}", "anything", false), 0);
    }

    #[test]
    fn a_question_that_was_cut_ends_at_a_quotation_mark() {
        let answers = [" and its cubs", " and its den"]
            .map(|end| format!("Three pages about \"the red fox{end}\" are here."));
        let hashes =
            answers.each_ref().map(|answer| answer_hash("{\"q\":\"the red fox", answer, false));
        assert_ne!(hashes[0], 0);
        assert_eq!(hashes[0], hashes[1]);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(args in ".*", answer in ".*") {
            let _ = answer_hash(&args, &answer, answer.len() % 2 == 0);
        }
    }
}
