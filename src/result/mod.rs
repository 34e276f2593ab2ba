//! What a result says: whether the call failed, what kind of evidence the result is,
//! and which error it reports.

mod error_signature;
mod failure;
mod lines;
mod output_signals;
mod phrases;
mod result_class;

pub(crate) use failure::{failed, is_unclear_test_run};
pub(crate) use output_signals::{is_negative_result, reports_problems};
pub(crate) use result_class::{ClassifiedResult, Evidence, NO_RESULTS, classify_result};
