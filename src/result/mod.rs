//! What a result says: whether the call failed, what kind of evidence it is, and which
//! error it reports.

mod answer;
mod envelope;
mod error_signature;
mod evidence;
mod exit_code;
mod failure;
mod http;
mod lines;
mod output_signals;
mod phrases;
mod problem;
mod result_class;
mod test_summary;

pub use evidence::{Evidence, EvidenceClass};
pub(crate) use failure::{failed, is_unclear_test_run};
pub(crate) use output_signals::{has_words, is_negative_result, reports_problems};
pub(crate) use problem::Problem;
pub(crate) use result_class::{
    CalledTool, ClassifiedResult, MAX_SENTENCE, NO_RESULTS, ReadResult, classify_result,
};
