//! Proposes common settings of log_line_prefix that cannot be inferred from the form of lines.

use super::evidence::contradictions;
use super::template::Setting;
use super::{Sample, fits, weight};
use crate::prefix::Prefix;
use crate::time::timestamp::timestamp_len;

/// Common settings with `%a`. An application name may have any form: `pgAdmin 4 - DB:shop`.
const USUAL: [&str; 12] = [
    "%m [%p] %q%u@%d/%a ",
    "%m [%p] %q%u@%d %a ",
    "%m [%p] %q%u@%d/%a/%h ",
    "%m [%p] %q%a %u@%d ",
    "%m [%p] %a %u@%d ",
    "%m [%p] %u@%d %a ",
    "%m [%p] %u@%d %a %h ",
    "%m [%p] %q[%u] [%d] [%a] ",
    "%m [%p] [%u] [%d] [%a] ",
    "[%m] [%p] [%u] [%d] [%a] ",
    "%m|%u|%d|%a|%h|%p|",
    "%m|%p|%u|%d|%a|%h|",
];

/// Adds the settings of [`USUAL`] that match all lines, unless a candidate matches almost all lines.
pub fn with_usual(candidates: &mut Vec<(usize, i32, usize, Setting)>, samples: &[Sample<'_>]) {
    let most = candidates.iter().map(|(score, ..)| *score).max().unwrap_or(0);
    if most * 20 >= samples.len() * 19 {
        return;
    }
    let is_time = |sample: &Sample<'_>| timestamp_len(sample.line) > 0 && !sample.line[..24].contains(&b'.');
    let is_short = samples.iter().take(20).all(|sample| sample.line.len() > 24 && is_time(sample));
    for usual in USUAL {
        let text = if is_short { usual.replace("%m", "%t") } else { usual.to_string() };
        let prefix = Prefix::parse(&text);
        if samples.iter().all(|sample| fits(&prefix, sample)) && contradictions(&text, samples) == 0 {
            let weight = weight(&text);
            candidates.push((
                samples.len(),
                weight,
                0,
                Setting { text, starts: Vec::new(), doubts: Vec::new(), is_uncertain: false },
            ));
        }
    }
}
