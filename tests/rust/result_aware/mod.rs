//! Compares the result-aware patterns with their naive detectors.

mod escalation;
mod patterns;
mod repeats;
mod streams;
mod work;
