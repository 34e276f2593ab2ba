//! The tools that were called, with their class and their settings in the options.

use crate::call::{NameInfo, inspect_name, word_hashes};
use crate::config::Config;
use crate::hash;
use crate::history::push_bounded;
use crate::tools::{ToolClass, Words, classify};
use alloc::collections::VecDeque;
use alloc::vec::Vec;

/// How many tools are remembered. Others are looked up again, so a million distinct tools
/// do not use up memory.
const MAX_KNOWN: usize = 32;

/// A tool whose class or settings have been looked up.
pub(super) struct KnownTool {
    pub class: ToolClass,
    pub exempt: bool,
    pub name_info: NameInfo,
    pub ignored: Vec<u64>,
    pub threshold: Option<u32>,
    pub fuzzy_threshold: Option<u32>,
}

/// The last tools called, by the hashes of their names.
pub(super) struct KnownTools {
    tools: VecDeque<(u64, KnownTool)>,
    own_thresholds: Vec<(u64, u32)>,
}

impl KnownTools {
    pub fn new(config: &Config) -> Self {
        let mut own_thresholds = Vec::new();
        for (name, tool) in &config.tools {
            if let Some(threshold) = tool.threshold {
                own_thresholds.push((hash::bytes(name.as_bytes()), threshold));
            }
        }
        Self { tools: VecDeque::new(), own_thresholds }
    }

    /// Looks up the tool of that name; returns it with the hash of its name.
    pub fn look_up(&mut self, name: &str, config: &Config) -> Option<&(u64, KnownTool)> {
        let key = hash::bytes(name.as_bytes());
        let known = self.tools.iter().position(|(known, _)| *known == key);
        if known.is_none() {
            push_bounded(&mut self.tools, (key, KnownTool::of(name, config)), MAX_KNOWN);
        }
        self.tools.get(known.unwrap_or(self.tools.len().saturating_sub(1)))
    }

    /// Returns the threshold that the options give a tool, by the hash of its name.
    pub fn own_threshold(&self, tool: u64) -> Option<u32> {
        self.own_thresholds.iter().find(|(known, _)| *known == tool).map(|(_, own)| *own)
    }
}

impl KnownTool {
    fn of(name: &str, config: &Config) -> Self {
        let settings = config.tool(name).cloned().unwrap_or_default();
        let mut name_info = inspect_name(name);
        name_info.is_polling = settings.poll.unwrap_or(name_info.is_polling);
        name_info.lets_time_pass &= name_info.is_polling;
        Self {
            class: settings.class.unwrap_or_else(|| classify(name)),
            exempt: settings.exempt,
            name_info,
            ignored: word_hashes(&Words::Own(settings.ignore)),
            threshold: settings.threshold,
            fuzzy_threshold: settings.fuzzy_threshold,
        }
    }
}
