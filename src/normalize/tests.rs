//! Which texts are the same after normalisation, and which are not.

use super::*;
use alloc::string::String;
use alloc::vec::Vec;
use proptest::prelude::*;

fn output(text: &str) -> u64 {
    normalized_hash(text)
}

fn arguments(text: &str) -> u64 {
    let text = text.as_bytes();
    strip_volatile(text, Source::Arguments).unwrap_or_else(|| hash::bytes(text))
}

#[test]
fn ids_and_uuids_inside_paths_do_not_count() {
    for (one, other) in [
        ("no request req_011CWpX0sJwlQi9Mi00Trbgm", "no request req_019ZZpX0sJwlQi9Mi77abcde"),
        ("no address adr_22d94e1932cdf2f07d604cc5", "no address adr_4128db64b289bcfb5fef34b9"),
        ("see #issuecomment-2900009508 there", "see #issuecomment-2900010099 there"),
        (
            "wrote /var/log/550e8400-e29b-41d4-a716-446655440000/a.log",
            "wrote /var/log/6ba7b810-9dad-11d1-80b4-00c04fd430c8/a.log",
        ),
        (
            "GET https://a.org/550e8400-e29b-41d4-a716-446655440000 failed",
            "GET https://a.org/6ba7b810-9dad-11d1-80b4-00c04fd430c8 failed",
        ),
    ] {
        assert_eq!(output(one), output(other), "{one} / {other}");
    }
    for (one, other) in [
        ("no such key short1A", "no such key short2B"),
        ("no such key alllowercase0123456", "no such key alllowercase0123457"),
        ("see #section-29000 there", "see #section-29001 there"),
        ("a loss of 0.6931471805599 is left", "a loss of 0.5931471805599 is left"),
        ("wrote /var/log/first/a1.log", "wrote /var/log/second/a1.log"),
    ] {
        assert_ne!(output(one), output(other), "{one} / {other}");
    }
    // In arguments they are the target.
    let arguments = |text| strip_volatile(text, Source::Arguments);
    assert_eq!(arguments(b"get req_011CWpX0sJwlQi9Mi00Trbgm"), None);
}

#[test]
fn words_are_compared_without_numbers_ids_and_order() {
    let dropped = |text| words_hash(text, Numbers::Dropped);
    for (one, other) in [
        ("retry 3/9: no room", "retry 4/9: no room"),
        ("chunk a8f3: no room", "chunk b771: no room"),
        ("thread aXbY: no room", "thread QqRr: no room"),
        ("FAIL beta\nFAIL alpha\n", "FAIL alpha\nFAIL beta\n"),
        ("..F.F\nno room", "F....\nno room"),
        ("no room", "  no   room!"),
    ] {
        assert_eq!(dropped(one), dropped(other), "{one} / {other}");
    }
    for (one, other) in [
        ("no room", "room no"),
        ("no room", "no door"),
        ("no room\nno room", "no room"),
        ("Error here", "error here"),
    ] {
        assert_ne!(dropped(one), dropped(other), "{one} / {other}");
    }
    let kept = |text| words_hash(text, Numbers::Kept);
    assert_ne!(kept("moved 3 steps"), kept("moved 4 steps"));
    assert_eq!(kept("moved, job a3"), kept("moved, job b4"));
    assert_eq!(kept("moved as 1234567"), kept("moved as 7654321"));
}

#[test]
fn volatile_tokens_do_not_count() {
    for (one, other) in [
        ("3 failed in 0.12s", "3 failed in 4.01s"),
        ("3 failed in 0.12 seconds", "3 failed in 11 seconds"),
        ("done after 1m23s", "done after 2m01s"),
        ("started at 12:30:01", "started at 12:31:59"),
        ("drwxr-xr-x Feb  9 23:35 src", "drwxr-xr-x Feb  9 23:41 src"),
        ("[2026-01-02T03:04:05.678Z] no such table", "[2026-01-02T04:00:00.001Z] no such table"),
        ("2026-01-02 03:04:05 no such table", "2026-01-03 03:04:06 no such table"),
        ("server pid 4711 exited", "server pid 4712 exited"),
        ("listening on port 49152", "listening on port 51000"),
        ("connect 127.0.0.1:49152 refused", "connect 127.0.0.1:51000 refused"),
        ("[1] 615\nstarted", "[1] 721\nstarted"),
        ("Nov 16 sshd[4711]: refused", "Nov 16 sshd[4712]: refused"),
        ("{\"pid\":41000,\"state\":\"idle\"}", "{\"pid\":41001,\"state\":\"idle\"}"),
        ("{\"status\":\"sent\",\"durationMs\":812}", "{\"status\":\"sent\",\"durationMs\":9}"),
        (
            "{\"status\":\"sent\",\"messageId\":\"m-81\"}",
            "{\"status\":\"sent\",\"messageId\":\"m-82\"}",
        ),
        ("cached at 1763280000123456789 again", "cached at 1763280009999123456 again"),
        ("<Foo object at 0x7f3a5e10>", "<Foo object at 0x7f3a7788>"),
        (
            "request 550e8400-e29b-41d4-a716-446655440000 failed",
            "request 6ba7b810-9dad-11d1-80b4-00c04fd430c8 failed",
        ),
        ("HEAD is now at 1a2b3c4d fix", "HEAD is now at 99aa0b1c fix"),
        ("image sha256:1a2b3c4d5e built", "image sha256:aabbcc0011 built"),
        ("wrote /tmp/tmpa1b2c3d4/out.txt", "wrote /tmp/tmpx9y8z7w6/out.txt"),
        ("cached at 1763280000123 again", "cached at 1763280009999 again"),
        (
            "fetch 45% [=====>    ] ETA 00:12\nfailed to fetch",
            "fetch 46% [=====>    ] ETA 00:11\nfailed to fetch",
        ),
        ("train 10/100 4.2it/s\nOut of memory", "train 12/100 4.1it/s\nOut of memory"),
        ("==== 1 failed, 3 passed in 0.12s ====", "==== 1 failed, 3 passed in 0.34s ===="),
        ("1 passed; 1 failed; finished in 0.01s", "1 passed; 1 failed; finished in 0.12s"),
        ("Time:        1.234 s, estimated 2 s", "Time:        2.001 s, estimated 3 s"),
        (
            " Duration  1.23s (transform 45ms, setup 0ms)",
            " Duration  3.21s (transform 51ms, setup 1ms)",
        ),
        ("--- FAIL: TestX (0.01s)", "--- FAIL: TestX (0.03s)"),
        ("ok  \tgithub.com/a/b\t0.012s", "ok  \tgithub.com/a/b\t0.034s"),
        ("Finished dev target(s) in 1m 02s", "Finished dev target(s) in 2m 31s"),
        ("real\t0m1.234s", "real\t0m2.345s"),
        ("Ran 5 tests in 0.001s\n\nOK", "Ran 5 tests in 0.004s\n\nOK"),
        ("container 3f4e5d6c7b8a exited", "container 9a8b7c6d5e4f exited"),
        ("#0 0x00007ffff7a42428 in raise ()", "#0 0x00007ffff7b52428 in raise ()"),
        ("Time: 12.345 ms\n(0 rows)", "Time: 13.345 ms\n(0 rows)"),
        ("tmp dir /tmp/pytest-of-me1/pytest-12", "tmp dir /tmp/pytest-of-me2/pytest-12"),
        ("  45%|████▌     | 45/100\nkilled", "  46%|████▌     | 46/100\nkilled"),
    ] {
        assert_eq!(output(one), output(other), "{one} / {other}");
    }
}

#[test]
fn other_numbers_count() {
    for (one, other) in [
        ("3 failed, 2 passed", "2 failed, 3 passed"),
        ("src/app.ts:12:30 error", "src/app.ts:14:30 error"),
        ("line 12: syntax error", "line 13: syntax error"),
        ("items[12]: not a number", "items [13]: not a number"),
        ("fetching 45% ETA 00:12", "fetching 46% ETA 00:12"),
        ("expected 2024-02-01, got 2024-02-02", "expected 2024-02-01, got 2024-02-03"),
        ("AssertionError: 250ms != 300ms", "AssertionError: 250ms != 310ms"),
        ("cpu limit 250m reached", "cpu limit 500m reached"),
        ("coverage 81% of lines", "coverage 82% of lines"),
        ("total 3705025700 people", "total 4705025700 people"),
        ("version 1.2.3 installed", "version 1.2.4 installed"),
        ("GET /users/12 404", "GET /users/13 404"),
        ("read /tmp/notes.txt", "read /tmp/plans.txt"),
        ("listening on :3000 now", "listening on :8080 now"),
        // A linter's line and column, with and without something before it.
        ("/a.js\n  12:30  error  Missing semicolon", "/a.js\n  14:30  error  Missing semicolon"),
        ("/a.js\n  12:5  error  Missing semicolon", "/a.js\n  14:5  error  Missing semicolon"),
        ("at 45:12 in a.js", "at 46:12 in a.js"),
        // None of these draws a progress bar.
        ("METADATA rows: 3", "METADATA rows: 4"),
        ("DETAILS: 3 failed", "DETAILS: 2 failed"),
        ("▶ suite, 3 failed", "▶ suite, 2 failed"),
        ("■ error on line 12", "■ error on line 14"),
        ("a\r\nline 12: error\r\n", "a\r\nline 14: error\r\n"),
        // What common tools print.
        ("Found 3 errors in 2 files.", "Found 2 errors in 2 files."),
        ("src/a.ts(12,5): error TS2345", "src/a.ts(14,5): error TS2345"),
        ("error[E0308]: mismatched types", "error[E0382]: mismatched types"),
        ("  --> src/main.rs:12:30", "  --> src/main.rs:14:30"),
        ("ERROR: relation 3 does not exist", "ERROR: relation 4 does not exist"),
        ("(3 rows)", "(4 rows)"),
        ("HTTP/1.1 404 Not Found", "HTTP/1.1 500 Not Found"),
        ("web-0  1/1  Running  3 restarts", "web-0  1/1  Running  4 restarts"),
        ("Your branch is ahead by 2 commits", "Your branch is ahead by 3 commits"),
        ("3 files changed, 12 insertions(+)", "3 files changed, 14 insertions(+)"),
        ("added 12 packages", "added 14 packages"),
        ("C:\\Temp\\file1.txt missing", "C:\\Temp\\file2.txt missing"),
        ("{\"count\":12,\"items\":[]}", "{\"count\":13,\"items\":[]}"),
        ("{\"page\": 1, \"next\": 2}", "{\"page\": 2, \"next\": 3}"),
        ("4096 bytes of the file", "8192 bytes of the file"),
        // Only the token: it is the information.
        ("43779a69f74214f3f6166fff83fbe551  -", "4f2e262a9de52bc2fad458be961936a7  -"),
        ("12:30:01", "12:31:59"),
    ] {
        assert_ne!(output(one), output(other), "{one} / {other}");
    }
}

#[test]
fn in_arguments_fewer_tokens_are_volatile() {
    for (one, other) in [
        ("curl /items?ts=1763280000123", "curl /items?ts=1763280000999"),
        (r#"{"q":"x","at":"2026-01-02T03:04:05Z"}"#, r#"{"q":"x","at":"2026-01-02T03:09:05Z"}"#),
        (
            "run --request 550e8400-e29b-41d4-a716-446655440000",
            "run --request 6ba7b810-9dad-11d1-80b4-00c04fd430c8",
        ),
        ("cat /tmp/tmpa1b2c3d4/log", "cat /tmp/tmpx9y8z7w6/log"),
    ] {
        assert_eq!(arguments(one), arguments(other), "{one} / {other}");
    }
    for (one, other) in [
        // Only the id: it is the information.
        ("550e8400-e29b-41d4-a716-446655440000", "6ba7b810-9dad-11d1-80b4-00c04fd430c8"),
        (r#"{"date":"2026-05-13"}"#, r#"{"date":"2026-05-14"}"#),
        ("git show 1a2b3c4d", "git show 99aa0b1c"),
        ("sed -i '396s/a/b/' file", "sed -i '412s/a/b/' file"),
        ("return n | 0xAAAAAAAA", "return n | 0x55555555"),
        ("sleep 5s && check", "sleep 9s && check"),
        ("cat /tmp/a1.txt here", "cat /tmp/a2.txt here"),
        ("ls /tmp/project-1", "ls /tmp/project-2"),
        ("cd /tmp/workdir1 && make", "cd /tmp/workdir2 && make"),
        ("kill 4711 by pid 4711", "kill 4712 by pid 4712"),
        ("curl localhost:49152/items", "curl localhost:51000/items"),
        ("meet at 12:30 with Ann", "meet at 14:30 with Ann"),
    ] {
        assert_ne!(arguments(one), arguments(other), "{one} / {other}");
    }
}

#[test]
fn only_the_ends_of_long_texts_are_normalised() {
    let log = |time: &str, middle: &str| {
        let lines = "a line of a log\n".repeat(1000);
        [time, " start\n", &lines, middle, &lines, "done in ", time].concat()
    };
    assert_eq!(output(&log("12:30:01", "x")), output(&log("12:31:02", "x")));
    assert_ne!(output(&log("12:30:01", "x")), output(&log("12:30:01", "y")));
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in ".*", digits in "[0-9:./x\\[\\]a-f -]{0,60}") {
        let both: String = [text.as_str(), &digits].concat();
        let _ = (output(&both), arguments(&both));
    }

    #[test]
    fn tokens_with_digits_are_found_by_their_digits(text in "[0-9a:;./= \n>é-]{0,80}") {
        let is_token = |c: char| c.is_ascii_alphanumeric() || "_.+-:/".contains(c);
        let naive = text.split(|c| !is_token(c)).filter(|token| token.contains(|c: char| c.is_ascii_digit()));
        let found = NumberedTokens { text: text.as_bytes(), at: 0 }.map(|token| {
            let bytes = text.get(token.start..token.end).unwrap_or_default();
            assert_eq!(token.classes, classes_of(bytes.as_bytes()));
            bytes
        });
        prop_assert_eq!(found.collect::<Vec<_>>(), naive.collect::<Vec<_>>());
    }

    #[test]
    fn words_are_hashed_line_by_line(text in "[a-cA-C0-2_é .\n-]{0,60}") {
        for numbers in [Numbers::Kept, Numbers::Dropped] {
            let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-' || !c.is_ascii();
            let naive = text.split('\n').map(|line| {
                let words = line.split(|c| !is_word(c)).map(str::as_bytes);
                words.filter(|word| is_plain_word(word, numbers)).fold(0, |state, word| hash::pair(state, hash::bytes(word)))
            });
            prop_assert_eq!(words_hash(&text, numbers), naive.fold(0, u64::wrapping_add));
        }
    }

    #[test]
    fn text_without_digits_is_hashed_as_it_is(text in "[a-zA-Z ,.:/=\n-]{0,80}") {
        prop_assert_eq!(output(&text), hash::bytes(text.trim_ascii().as_bytes()));
    }
}
