//! Compares the result-aware patterns with their naive twins.

mod escalation;
mod patterns;
mod repeats;
mod streams;
mod work;
