//! What an output remarks: that nothing came of a call, that something has not
//! happened yet, that a run which worked was not happy.

use super::error_signature::ErrorLines;
use super::failure::looked_at;
use super::phrases::{COMPLAINTS, VAIN_WORDS, WAITING};

/// Whether a result that is no failure says that nothing came of the call: it is
/// empty, or speaks of what is not there.
pub(crate) fn is_in_vain(output: &str) -> bool {
    let line = ErrorLines::of(output).line();
    !line.bytes().any(|byte| byte.is_ascii_alphabetic() || !byte.is_ascii())
        || line.as_bytes().windows(2).any(|two| two == b"[]")
        || line
            .split(|c: char| !c.is_ascii_alphabetic() && c != '\'')
            .any(|word| VAIN_WORDS.iter().any(|known| word.eq_ignore_ascii_case(known)))
}

/// Whether a brief answer says that something has not happened yet.
pub(super) fn says_still_waiting(output: &str) -> bool {
    has_any(output, WAITING)
}

/// Whether a run that worked complains nevertheless: "0 errors" is no complaint.
pub(crate) fn complains(output: &str) -> bool {
    looked_at(output).any(|line| {
        let none = starts_with(line.trim_ascii_start(), "0 ") || starts_with(line, "no ");
        !none && has_any(line, COMPLAINTS) && !has_any(line, &["0 error", "0 fail", "no error"])
    })
}

/// Whether the line begins so, in any case.
pub(super) fn starts_with(line: &str, beginning: &str) -> bool {
    line.as_bytes()
        .get(..beginning.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(beginning.as_bytes()))
}

/// Whether one of the phrases stands in the line, in any case. None is shorter
/// than three characters.
pub(super) fn has_any(line: &str, phrases: &[&str]) -> bool {
    // By which three characters any of them begins: few places of a text do.
    let (mut first, mut second, mut third) = (0u32, 0u32, 0u32);
    for phrase in phrases {
        if let [one, two, three, ..] = phrase.as_bytes() {
            first |= bit(*one);
            second |= bit(*two);
            third |= bit(*three);
        }
    }
    let mut rest = line.as_bytes();
    while let [one, after @ ..] = rest {
        if first & bit(*one) != 0
            && let [two, three, ..] = after
            && second & bit(*two) != 0
            && third & bit(*three) != 0
            && phrases.iter().any(|phrase| starts_like(rest, phrase.as_bytes()))
        {
            return true;
        }
        rest = after;
    }
    false
}

/// The same for small letters and capitals, and for some other characters.
#[inline(always)]
const fn bit(byte: u8) -> u32 {
    1 << (byte & 31)
}

fn starts_like(text: &[u8], phrase: &[u8]) -> bool {
    let same = text.first().map(u8::to_ascii_lowercase) == phrase.first().copied();
    same && text.get(..phrase.len()).is_some_and(|part| part.eq_ignore_ascii_case(phrase))
}

#[cfg(test)]
mod tests {
    use super::super::phrases::{ERROR_WORDS, INFRASTRUCTURE};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn complaints_of_runs_that_worked() {
        assert!(complains("a.py:3: DeprecationWarning: gone soon"));
        assert!(complains("Expected: 'x', actual: y"));
        assert!(!complains("Found 0 errors. Watching for changes."));
        assert!(complains("src/a.rs:3: warning: unused variable"));
        assert!(complains("Traceback (most recent call last):"));
        assert!(!complains("No errors found"));
        assert!(!complains("0 errors, 0 failures"));
        assert!(!complains("3 passed, 0 failed"));
        assert!(!complains("Finished dev profile"));
        assert!(!complains(""));
    }

    #[test]
    fn every_phrase_can_be_found() {
        for phrase in [COMPLAINTS, WAITING, ERROR_WORDS, INFRASTRUCTURE].concat() {
            assert!(has_any(phrase, &[phrase]), "{phrase}");
        }
    }

    proptest! {
        #[test]
        fn no_output_makes_it_panic(output in ".*") {
            let _ = complains(&output);
            let _ = is_in_vain(&output);
            let _ = says_still_waiting(&output);
        }

        #[test]
        fn phrases_are_found_as_in_a_copy_in_small_letters(line in "[eErRoOfFaAiIlLnNtT 0éİ]{0,40}") {
            let small = line.to_ascii_lowercase();
            for phrases in [COMPLAINTS, WAITING, ERROR_WORDS, &["0 error", "0 fail", "no error"]] {
                prop_assert_eq!(has_any(&line, phrases), phrases.iter().any(|phrase| small.contains(phrase)));
            }
        }
    }
}
