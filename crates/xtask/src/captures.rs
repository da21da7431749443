//! `cargo xtask captures`: what some commands show on a terminal, as pictures in docs/captures. Needs
//! `script` of util-linux, for a terminal.

use anstyle::RgbColor;
use anstyle_svg::{Palette, Term};
use anyhow::{Context, Result};
use xshell::{Shell, cmd};

/// Name of the picture, columns of the terminal, arguments of pgq.
const CAPTURES: [(&str, u16, &str); 5] = [
    ("digest", 120, "digest --top 8 fixtures/log/log.csv"),
    ("digest-80", 80, "digest --top 8 fixtures/log/log.csv"),
    ("digest-160", 160, "digest --top 8 --wide fixtures/log/log.csv"),
    ("broken-80", 80, "fingerprint fixtures/readme/broken.sql"),
    ("bench-80", 80, "bench --time 0.2 --functions parse,fingerprint,deparse fixtures/oltp"),
];

/// Name, text, ground, and red, green, yellow, blue, magenta and cyan.
const THEMES: [(&str, u32, u32, [u32; 6]); 2] = [
    ("light", 0x1F2328, 0xFFFFFF, [0xCF222E, 0x116329, 0x9A6700, 0x0969DA, 0x8250DF, 0x1B7C83]),
    ("dark", 0xE6EDF3, 0x0D1117, [0xFF7B72, 0x3FB950, 0xD29922, 0x58A6FF, 0xBC8CFF, 0x39C5CF]),
];

fn rgb(color: u32) -> RgbColor {
    let [_, red, green, blue] = color.to_be_bytes();
    RgbColor(red, green, blue)
}

/// The sixteen colours of a terminal: the bright ones are those of the theme, too.
fn palette(colors: [u32; 6]) -> Palette {
    let [red, green, yellow, blue, magenta, cyan] = colors;
    let eight = [0x6E7681, red, green, yellow, blue, magenta, cyan, 0xB1BAC4].map(rgb);
    Palette::from(std::array::from_fn::<_, 16, _>(|color| eight[color % 8]))
}

pub fn run(shell: &Shell) -> Result<()> {
    cmd!(shell, "cargo build --release").run()?;
    let folder = shell.current_dir().join("docs/captures");
    shell.create_dir(&folder)?;
    for (name, columns, arguments) in CAPTURES {
        let line = format!("stty cols {columns} rows 60; target/release/pgq {arguments}");
        let shown = cmd!(shell, "script -qec {line} /dev/null").env("TERM", "xterm-256color").ignore_status().read();
        // A progress bar is drawn over itself: what stays is behind the last return.
        let last = |line: &str| line.trim_end_matches('\r').rsplit('\r').next().unwrap_or_default().to_string();
        let shown = shown.context("`script` of util-linux")?.lines().map(last).collect::<Vec<_>>().join("\n");
        let shown = format!("\u{1b}[1m$ pgq {arguments}\u{1b}[0m\n{shown}\n");
        for (theme, text, ground, colors) in THEMES {
            let term = Term::new().fg_color(rgb(text).into()).bg_color(rgb(ground).into()).palette(palette(colors));
            shell.write_file(folder.join(format!("{name}-{theme}.svg")), term.render_svg(&shown))?;
        }
    }
    Ok(())
}
