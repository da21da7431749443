//! `cargo xtask captures`: writes pictures of commands in a terminal to docs/captures. Needs `script` of util-linux,
//! which provides the terminal. Some pictures show output that changes while the command runs. The log for these
//! pictures is generated. Other pictures show the formatters of other projects, which must be installed.

use anstyle::RgbColor;
use anstyle_svg::{Palette, Term};
use anyhow::{Context, Result};
use xshell::{Shell, cmd};

use super::page_picture;

/// Pictures of output that overwrites itself: picture name, terminal columns, command, and a string in the frame to
/// show.
const MOMENTS: [(&str, u16, &str, &str); 2] = [
    ("progress-80", 80, "pgq digest --jobs 1 --output report.html postgresql.log", "left"),
    ("live-80", 80, "(cat postgresql.log; sleep 1) | pgq digest --top 3 --every 100ms", "queries by"),
];

/// Pictures of output that does not overwrite itself: picture name, terminal columns, and arguments of pgq.
const CAPTURES: [(&str, u16, &str); 6] = [
    ("count", 100, "normalize --count fixtures/log/log.csv | head -6"),
    ("digest", 120, "digest --top 8 fixtures/log/log.csv"),
    ("digest-80", 80, "digest --top 8 fixtures/log/log.csv"),
    ("digest-160", 160, "digest --top 8 --wide fixtures/log/log.csv"),
    ("broken-80", 80, "fingerprint fixtures/readme/broken.sql"),
    ("bench-80", 80, "bench --time 2s --functions parse,fingerprint,deparse fixtures/oltp"),
];

/// Picture names and commands of formatters. All commands format the same file.
const FORMATTERS: [(&str, &str); 3] = [
    ("format-pgq", "pgq format < formatters.sql"),
    ("format-pg_format", "pg_format formatters.sql"),
    ("format-sqlfluff", "sqlfluff format --dialect postgres - < formatters.sql"),
];

/// Theme name, text colour, background colour, and red, green, yellow, blue, magenta and cyan.
const THEMES: [(&str, u32, u32, [u32; 6]); 2] = [
    ("light", 0x1F2328, 0xFFFFFF, [0xCF222E, 0x116329, 0x9A6700, 0x0969DA, 0x8250DF, 0x1B7C83]),
    ("dark", 0xE6EDF3, 0x0D1117, [0xFF7B72, 0x3FB950, 0xD29922, 0x58A6FF, 0xBC8CFF, 0x39C5CF]),
];

fn rgb(color: u32) -> RgbColor {
    let [_, red, green, blue] = color.to_be_bytes();
    RgbColor(red, green, blue)
}

/// Returns the sixteen terminal colours. The bright colours equal the normal ones.
fn palette(colors: [u32; 6]) -> Palette {
    let [red, green, yellow, blue, magenta, cyan] = colors;
    let eight = [0x6E7681, red, green, yellow, blue, magenta, cyan, 0xB1BAC4].map(rgb);
    Palette::from(std::array::from_fn::<_, 16, _>(|color| eight[color % 8]))
}

pub fn run(shell: &Shell) -> Result<()> {
    cmd!(shell, "cargo build --release").run()?;
    shell.create_dir("docs/captures")?;
    for (name, columns, arguments) in CAPTURES {
        let line = format!("stty cols {columns} rows 60; target/release/pgq {arguments}");
        let shown = cmd!(shell, "script -qec {line} /dev/null").env("TERM", "xterm-256color").ignore_status().read();
        // A progress bar overwrites its line. The final text is after the last carriage return.
        let last = |line: &str| line.trim_end_matches('\r').rsplit('\r').next().unwrap_or_default().to_string();
        let shown = shown.context("`script` of util-linux")?.lines().map(last).collect::<Vec<_>>().join("\n");
        draw(shell, name, &format!("pgq {arguments}"), &shown)?;
    }
    let made = shell.create_temp_dir()?;
    let log = page_picture::made_log();
    shell.write_file(made.path().join("postgresql.log"), log.repeat(80))?;
    let program = shell.current_dir().join("target/release");
    for (name, columns, command, sign) in MOMENTS {
        let inside = shell.push_dir(made.path());
        let line = format!("stty cols {columns} rows 30; PATH=\"{}:$PATH\"; {command}", program.display());
        let output =
            cmd!(shell, "script -qec {line} /dev/null").env("TERM", "xterm-256color").ignore_status().read()?;
        drop(inside);
        // Split the output into frames. A frame of a progress bar starts with a carriage return. A frame of a report
        // starts by moving the cursor to the upper left corner of the screen.
        let is_report = name.starts_with("live");
        let frames = output.split(if is_report { "\u{1b}[H" } else { "\r" }).filter(|frame| frame.contains(sign));
        let frames: Vec<&str> = frames.collect();
        // The last frame shows two reports, because pgq prints the final report below the previous one. Therefore use
        // the second to last frame.
        let moment = frames.get(if is_report { frames.len().saturating_sub(2) } else { frames.len() / 2 });
        let shown = moment.copied().unwrap_or_default();
        anyhow::ensure!(!shown.is_empty(), "{command} showed nothing with {sign:?}");
        draw(shell, name, command, &shown.replace('\r', ""))?;
    }
    draw_formatters(shell)
}

fn draw_formatters(shell: &Shell) -> Result<()> {
    let built = shell.current_dir().join("target/release");
    for (name, command) in FORMATTERS {
        let line = format!("cd docs/captures; PATH=\"{}:$PATH\"; {command}", built.display());
        match cmd!(shell, "sh -c {line}").read() {
            Ok(shown) => draw(shell, name, command, &shown)?,
            Err(_) => println!("{name}: left out, because `{command}` failed"),
        }
    }
    Ok(())
}

/// Draws a command's output in each theme.
fn draw(shell: &Shell, name: &str, command: &str, shown: &str) -> Result<()> {
    let shown = format!("\u{1b}[1m$ {command}\u{1b}[0m\n{}\n", shown.trim_end());
    for (theme, text, ground, colors) in THEMES {
        let term = Term::new().fg_color(rgb(text).into()).bg_color(rgb(ground).into()).palette(palette(colors));
        shell.write_file(format!("docs/captures/{name}-{theme}.svg"), term.render_svg(&shown))?;
    }
    Ok(())
}
