//! A digest as one page that needs nothing else.

use crate::digest::report::Report;

pub fn write(report: &Report, out: &mut Vec<u8>) {
    super::json::write(report, out);
}
