//! The patterns that look at results, against their naive twins.

mod escalation;
mod patterns;
mod repeats;
mod streams;
mod work;
