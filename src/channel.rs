//! The places where streamed text appears: what hosts report, and what a verdict names.

use crate::named::named;

named! {
    /// Where streamed text appears.
    #[derive(Default)]
    #[non_exhaustive]
    Channel {
        /// What the user sees.
        #[default]
        Text = "text",
        /// What the model thinks.
        Reasoning = "reasoning",
        /// The arguments of a tool call, as the model writes them.
        Arguments = "arguments",
    }
}
