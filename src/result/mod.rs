//! What a result says: whether the call failed, what kind of evidence the result
//! is, and which error it reports.

mod error_signature;
mod failure;
mod output_signals;
mod phrases;
mod result_class;

pub(crate) use failure::{TestOutcome, exit_code_failed, test_outcome};
pub(crate) use output_signals::{complains, is_in_vain};
pub(crate) use result_class::{ClassifiedResult, Evidence, NO_RESULTS, read as classify_result};
