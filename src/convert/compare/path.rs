//! Formats the path to a difference between two trees, such as `SelectStmt.targetList[2].ResTarget.name`.

pub(crate) enum PathStep {
    Field(&'static str),
    Item(usize),
}

/// Number of steps to show at each end of a long path. A tree may be 100,000 nodes deep.
const ENDS: usize = 16;

/// Returns the steps as text, outermost first.
pub(crate) fn path(steps: &[PathStep]) -> String {
    let mut text = String::new();
    for (depth, step) in steps.iter().rev().enumerate() {
        match step {
            _ if depth == ENDS && steps.len() > 2 * ENDS => text.push_str(".…"),
            _ if depth > ENDS && depth + ENDS < steps.len() => {}
            PathStep::Field(name) if text.is_empty() => text.push_str(name),
            PathStep::Field(name) => {
                text.push('.');
                text.push_str(name);
            }
            PathStep::Item(index) => text.push_str(&format!("[{index}]")),
        }
    }
    text
}
