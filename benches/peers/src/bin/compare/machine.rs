//! Describes the machine of a run for the page.

use std::process::Command;

use crate::results::Machine;

/// Tools, and the arguments that print their versions.
const TOOLS: [(&str, &[&str]); 6] = [
    ("rustc", &["--version"]),
    ("cc", &["--version"]),
    ("go", &["version"]),
    ("python3", &["--version"]),
    ("node", &["--version"]),
    ("perl", &["-e", "print \"Perl $^V\""]),
];

pub fn machine() -> Machine {
    let tools = TOOLS.iter().filter_map(|(tool, arguments)| {
        let line = first_line(tool, arguments)?;
        Some(if *tool == "node" { format!("Node {line}") } else { line })
    });
    Machine {
        cpu: cpu(&std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default()),
        cores: std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
        system: first_line("uname", &["-srm"]).unwrap_or_default(),
        tools: tools.collect(),
    }
}

/// Environment variable with the system's load average before run.sh built this program.
const LOAD_AT_START: &str = "LOAD_AT_START";

/// Returns the load before this program was built.
pub fn load_at_start() -> f64 {
    std::env::var(LOAD_AT_START).ok().and_then(|load| load.parse().ok()).unwrap_or_else(load)
}

/// Returns the load average of the last minute; 0 if the system does not report it.
pub fn load() -> f64 {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().and_then(|load| load.parse().ok()).unwrap_or_default()
}

/// Returns today's date in UTC.
pub fn date() -> String {
    first_line("date", &["-u", "+%Y-%m-%d"]).unwrap_or_default()
}

fn first_line(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).lines().next()?.trim().to_string())
}

/// Returns the first processor model in /proc/cpuinfo.
fn cpu(cpuinfo: &str) -> String {
    let model = |line: &str| Some(line.strip_prefix("model name")?.split_once(':')?.1.trim().to_string());
    cpuinfo.lines().find_map(model).unwrap_or_else(|| "an unknown processor".to_string())
}

#[test]
fn the_processor_is_that_of_the_first_core() {
    assert_eq!(cpu("processor\t: 0\nmodel name\t: A B @ 2 GHz\nmodel name\t: C\n"), "A B @ 2 GHz");
    assert_eq!(cpu(""), "an unknown processor");
}
