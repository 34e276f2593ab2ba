//! The patterns that look at results, against their naive twins.

mod ladder;
mod patterns;
mod repeats;
mod streams;
mod work;
