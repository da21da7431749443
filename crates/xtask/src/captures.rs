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

/// Name, text, ground, and the colours red, green, yellow, blue, magenta and cyan.
const THEMES: [(&str, RgbColor, RgbColor, [RgbColor; 6]); 2] = [
    (
        "light",
        RgbColor(31, 35, 40),
        RgbColor(255, 255, 255),
        [
            RgbColor(207, 34, 46),
            RgbColor(17, 99, 41),
            RgbColor(154, 103, 0),
            RgbColor(9, 105, 218),
            RgbColor(130, 80, 223),
            RgbColor(27, 124, 131),
        ],
    ),
    (
        "dark",
        RgbColor(230, 237, 243),
        RgbColor(13, 17, 23),
        [
            RgbColor(255, 123, 114),
            RgbColor(63, 185, 80),
            RgbColor(210, 153, 34),
            RgbColor(88, 166, 255),
            RgbColor(188, 140, 255),
            RgbColor(57, 197, 207),
        ],
    ),
];

/// The sixteen colours of a terminal: the bright ones are those of the theme, too.
fn palette(colors: [RgbColor; 6]) -> Palette {
    let [red, green, yellow, blue, magenta, cyan] = colors;
    let (black, white) = (RgbColor(110, 118, 129), RgbColor(177, 186, 196));
    let eight = [black, red, green, yellow, blue, magenta, cyan, white];
    let mut all = [black; 16];
    all[..8].copy_from_slice(&eight);
    all[8..].copy_from_slice(&eight);
    Palette::from(all)
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
            let term = Term::new().fg_color(text.into()).bg_color(ground.into()).palette(palette(colors));
            shell.write_file(folder.join(format!("{name}-{theme}.svg")), term.render_svg(&shown))?;
        }
    }
    Ok(())
}
