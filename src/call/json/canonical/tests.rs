//! The scanner against serde_json, which builds the whole tree.

use super::*;
use alloc::string::{String, ToString};
use alloc::{format, vec};
use proptest::prelude::*;
use serde::de::IgnoredAny;
use serde_json::Value;

fn hash_of(text: &str) -> Option<u64> {
    let mut scanner = Scanner::default();
    scanner.scan(text).map(|scanned| match scanned {
        Scanned::Object => object_hash(scanner.entries().iter()),
        Scanned::Other(hash) => hash,
    })
}

/// The naive reading: a tree with sorted keys, in which the last duplicate wins, and
/// numbers that are compared as floats.
fn tree(text: &str) -> Value {
    fn floats(value: Value) -> Value {
        match value {
            Value::Number(number) => Value::from(number.as_f64().expect("a float") + 0.0),
            Value::Array(items) => items.into_iter().map(floats).collect(),
            Value::Object(fields) => {
                fields.into_iter().map(|(key, value)| (key, floats(value))).collect()
            }
            other => other,
        }
    }
    floats(serde_json::from_str(text).expect("valid"))
}

fn json_text() -> impl Strategy<Value = String> {
    let space = prop_oneof![Just(""), Just(" "), Just("\n\t")];
    let string = prop_oneof![
        "[a-c]{0,3}".prop_map(|s| format!("\"{s}\"")),
        Just(r#""\u0061""#.to_string()),
        Just(r#""a\n\"\\""#.to_string()),
        Just(r#""é\u00e9😀\ud83d\ude00""#.to_string()),
    ];
    let number = prop_oneof![
        Just("1".to_string()),
        Just("1.0".to_string()),
        Just("10e-1".to_string()),
        Just("-0".to_string()),
        Just("0".to_string()),
        (-1000i32..1000).prop_map(|n| n.to_string()),
        (-100.0..100.0f64).prop_map(|n| n.to_string()),
    ];
    let leaf = prop_oneof![
        string.clone(),
        number,
        Just("true".to_string()),
        Just("false".to_string()),
        Just("null".to_string()),
    ];
    leaf.prop_recursive(5, 30, 5, move |inner| {
        let list = (proptest::collection::vec(inner.clone(), 0..5), space.clone())
            .prop_map(|(items, gap)| format!("[{gap}{}{gap}]", items.join(&format!("{gap},"))));
        let map = (proptest::collection::vec((string.clone(), inner), 0..6), space.clone())
            .prop_map(|(fields, gap)| {
                let fields: Vec<_> =
                    fields.iter().map(|(k, v)| format!("{gap}{k}{gap}:{gap}{v}")).collect();
                format!("{{{}{gap}}}", fields.join(","))
            });
        prop_oneof![list, map]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    fn equal_exactly_when_the_trees_are(a in json_text(), b in json_text()) {
        let equal = hash_of(&a).expect("valid") == hash_of(&b).expect("valid");
        prop_assert_eq!(equal, tree(&a) == tree(&b), "{} {}", a, b);
    }

    #[test]
    fn key_order_does_not_matter(fields in proptest::collection::vec(("[a-z]{1,4}", json_text()), 0..25), seed in any::<u64>()) {
        let mut unique: Vec<(String, String)> = vec![];
        for (key, value) in fields {
            if !unique.iter().any(|(other, _)| *other == key) {
                unique.push((key, value));
            }
        }
        let text = |fields: &[(String, String)]| {
            format!("{{{}}}", fields.iter().map(|(k, v)| format!("{k:?}:{v}")).collect::<Vec<_>>().join(","))
        };
        let mut shuffled = unique.clone();
        shuffled.sort_by_key(|(key, _)| hash::pair(seed, key_hash(key)));
        prop_assert_eq!(hash_of(&text(&unique)), hash_of(&text(&shuffled)));
    }

    #[test]
    fn agrees_with_serde_json_on_what_is_json(text in "[\\[\\]{}\",:0-9a-e\\\\ tfnu.+-]{0,12}") {
        let is_json = serde_json::from_str::<IgnoredAny>(&text).is_ok();
        prop_assert_eq!(hash_of(&text).is_some(), is_json, "{}", text);
    }

    #[test]
    fn no_text_makes_it_panic(text in ".*") {
        let _ = hash_of(&text);
    }
}

#[test]
fn the_last_of_duplicate_keys_wins_at_every_level() {
    assert_eq!(hash_of(r#"{"a":1,"a":2}"#), hash_of(r#"{"a":2}"#));
    assert_eq!(hash_of(r#"{"x":{"a":1,"b":3,"a":2}}"#), hash_of(r#"{"x":{"b":3,"a":2}}"#));
    let many: Vec<_> = (0..40).map(|i| format!("\"k{}\":{i}", i % 20)).collect();
    let last: Vec<_> = (20..40).map(|i| format!("\"k{}\":{i}", i % 20)).collect();
    let object = |fields: &[String]| format!("{{{}}}", fields.join(","));
    assert_eq!(hash_of(&object(&many)), hash_of(&object(&last)));
}

#[test]
fn structure_counts() {
    let all = [
        "{}",
        "[]",
        "[[]]",
        "[{}]",
        "null",
        "0",
        "\"\"",
        "false",
        "[1,2]",
        "[2,1]",
        "[[1],2]",
        "[[1,2]]",
        "{\"a\":{}}",
        "{\"a\":[]}",
        "\"1\"",
        "1",
        "{\"a\":{\"b\":1}}",
        "{\"b\":{\"a\":1}}",
        "[null]",
        "{\"a\":null}",
    ];
    for (i, a) in all.iter().enumerate() {
        for b in &all[..i] {
            assert_ne!(hash_of(a), hash_of(b), "{a} {b}");
        }
    }
}

#[test]
fn a_hundred_thousand_levels_are_read() {
    let deep = |inner: &str| format!("{}{inner}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(hash_of(&deep("1")).is_some());
    assert_ne!(hash_of(&deep("1")), hash_of(&deep("2")));
    let objects = format!("{}1{}", "{\"a\":".repeat(100_000), "}".repeat(100_000));
    assert!(hash_of(&objects).is_some());
    assert_eq!(hash_of(&"[".repeat(2_000_000)), None);
}

#[test]
fn half_a_surrogate_pair_is_the_replacement_character_and_its_code() {
    assert_eq!(hash_of(r#""\ud800""#), hash_of("\"\u{fffd}d800\""));
    assert_eq!(hash_of(r#""\uD800\ud800\udc00""#), hash_of("\"\u{fffd}d800\u{10000}\""));
    assert_eq!(hash_of(r#""\udc0Fx""#), hash_of("\"\u{fffd}dc0fx\""));
    assert_ne!(hash_of(r#""\ud800""#), hash_of(r#""\ud801""#));
}
