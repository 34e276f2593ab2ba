//! Which calls are the same, and that fingerprints stay what they are.

use super::*;
use proptest::prelude::*;

fn fingerprint(name: &str, args: &str, class: ToolClass) -> Fingerprint {
    let wanted = Wanted { fuzzy: true, commands: true, intents: false };
    let tables = Tables::default();
    let mut fingerprinter = Fingerprinter::new(Identity::Canonical, wanted, &tables);
    fingerprinter.take(hash::bytes(name.as_bytes()), args.into(), class, &[], &tables)
}

#[test]
fn fingerprints_never_change() {
    // Snapshots and swarm stores outlive releases: if this test has to be
    // edited, the change log must say that fingerprints changed.
    let read = fingerprint(
        "read_file",
        r#"{"path":"a.ts","limit":10,"x":[1,true,null]}"#,
        ToolClass::Read,
    );
    assert_eq!((read.exact, read.fuzzy), (0xf38b_c8e1_e011_451e, 0xf7f3_1e1b_36cb_07e7));
    let shell = fingerprint("bash", r#"{"command":"head -n 5 a.ts"}"#, ToolClass::Shell);
    assert_eq!((shell.exact, shell.fuzzy), (0xa0e1_0274_1e78_2c15, 0x8784_92b5_8130_b226));
    let raw = fingerprint("bash", "not json", ToolClass::Other);
    assert_eq!((raw.exact, raw.fuzzy), (0xd62b_2b11_513c_e53a, 0xd62b_2b11_513c_e53a));
    let key = Fingerprinter::new(
        Identity::Raw { length: 200 },
        Wanted { fuzzy: false, commands: false, intents: false },
        &Tables::default(),
    )
    .take(hash::bytes(b"bash"), Args::Key("k"), ToolClass::Other, &[], &Tables::default());
    assert_eq!((key.exact, key.fuzzy), (0x6be4_849e_5ff2_8170, 0x6be4_849e_5ff2_8170));
}

#[test]
fn absent_arguments_are_an_empty_object() {
    let empty = fingerprint("t", "{}", ToolClass::Other);
    for args in ["", "  ", " { } "] {
        assert_eq!(fingerprint("t", args, ToolClass::Other), empty);
    }
    assert_ne!(fingerprint("t", "null", ToolClass::Other), empty);
}

#[test]
fn ignored_arguments_do_not_count() {
    let tables = Tables::default();
    let wanted = Wanted { fuzzy: true, commands: false, intents: false };
    let mut fingerprinter = Fingerprinter::new(Identity::Canonical, wanted, &tables);
    let ignored = word_hashes(&Words::Known(&["id", "path"]));
    let mut take =
        |args: &str| fingerprinter.take(1, args.into(), ToolClass::Other, &ignored, &tables);
    let one = take(r#"{"id":1,"path":"a","query":"q"}"#);
    assert_eq!(one, take(r#"{"id":2,"path":"b","query":"q"}"#));
    assert_ne!(one, take(r#"{"id":1,"path":"a","query":"r"}"#));
}

proptest! {
    #[test]
    fn the_readable_form_is_equal_exactly_when_the_fuzzy_one_is(
        a in (0usize..4, 0usize..6),
        b in (0usize..4, 0usize..6),
        long in 0usize..400,
    ) {
        let names = ["read", "bash", "shell", "x"];
        let args = |kind: usize| match kind {
            0 => r#"{"path":"p","n":1}"#.into(),
            1 => r#"{ "n": 2, "path": "p" }"#.into(),
            2 => alloc::format!(r#"{{"command":"cat {}.ts"}}"#, "f".repeat(long)),
            3 => r#"{"command":"cat f | wc","path":"p"}"#.into(),
            4 => r#"{"command":"cat f | wc","path":"p","n":1.0}"#.into(),
            _ => alloc::format!("raw {}", "x".repeat(long)),
        };
        let form = |(name, kind): (usize, usize)| {
            let (name, args) = (names[name], args(kind));
            let class = crate::tools::classify(name);
            let text = readable(name, args.as_str().into(), class, &Tables::default());
            (text, fingerprint(name, &args, class).fuzzy)
        };
        let (a, b) = (form(a), form(b));
        prop_assert_eq!(a.0 == b.0, a.1 == b.1, "{} {}", a.0, b.0);
        prop_assert!(a.0.chars().count() <= 200);
    }
}
