//! Writes the README's pictures as SVG, in a light and a dark theme. They show the HTML page that `pgq digest`
//! generates from a generated log. Chromium prints this page with the layout of a screen. Needs `chromium`, and
//! `pdftocairo` of poppler.

use std::fmt::Write;

use anyhow::{Context, Result};
use xshell::{Shell, cmd};

/// Statements of the generated log, and their usual durations in microseconds. `#` represents a number.
const STATEMENTS: [(&str, u64); 8] = [
    (
        "SELECT o.id, o.total FROM orders o JOIN customers c ON c.id = o.customer_id WHERE c.id = # ORDER BY o.id DESC LIMIT 20",
        900,
    ),
    ("SELECT id, name, price FROM products WHERE id IN (#, #)", 250),
    ("UPDATE carts SET quantity = # WHERE id = # /*controller:carts,action:update*/", 1_400),
    ("INSERT INTO events (kind, payload) VALUES ('view', '{\"page\": #}')", 180),
    ("SELECT count(*) FROM order_lines WHERE product_id = # AND shipped IS NULL", 9_000),
    ("SELECT date_trunc('day', at), sum(total) FROM payments WHERE at > now() - interval '# days' GROUP BY 1", 45_000),
    ("DELETE FROM sessions WHERE expires_at < now() - interval '# hours'", 5_000),
    ("SELECT 1", 40),
];

/// Writes docs/captures/page-light.svg and page-dark.svg.
pub fn run(shell: &Shell) -> Result<()> {
    let folder = shell.create_temp_dir()?;
    let path = |name: &str| folder.path().join(name);
    let (log, page, pdf) = (path("postgresql.log"), path("page.html"), path("page.pdf"));
    shell.write_file(&log, made_log())?;
    let pgq = shell.current_dir().join("target/release/pgq");
    let inside = shell.push_dir(folder.path());
    let html = cmd!(shell, "{pgq} digest --format html --title shop postgresql.log").read()?;
    drop(inside);
    for theme in ["light", "dark"] {
        shell.write_file(&page, as_on_a_screen(&html, theme))?;
        let address = format!("file://{}", page.display());
        let to = format!("--print-to-pdf={}", pdf.display());
        cmd!(shell, "chromium --headless --no-sandbox --disable-gpu --no-pdf-header-footer {to} {address}")
            .ignore_stderr()
            .run()
            .context("chromium")?;
        let svg = cmd!(shell, "pdftocairo -svg -f 1 -l 1 {pdf} -").read().context("`pdftocairo` of poppler")?;
        shell.write_file(format!("docs/captures/page-{theme}.svg"), with_two_decimals(&svg))?;
    }
    Ok(())
}

/// Generates the log of a shop for three days. More statements run in the daytime, and all statements are slow in
/// one hour of a night.
pub fn made_log() -> String {
    let (mut log, mut random) = (String::new(), 1_u64);
    let mut next = |limit: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % limit
    };
    for minute in 0..3 * 24 * 60_u64 {
        let hour = minute / 60 % 24;
        let busy = [2, 1, 1, 1, 1, 2, 4, 7, 11, 14, 15, 15, 13, 14, 15, 14, 12, 11, 12, 13, 11, 8, 5, 3][hour as usize];
        for call in 0..busy + next(3) {
            let (statement, micros) = STATEMENTS[(next(8) * next(8) / 7) as usize % 8];
            let (user, host) = (["app", "app", "app", "report"][next(4) as usize], next(4) + 1);
            let slow = if minute / 60 == 50 { 60 } else { 1 };
            let micros = micros * (20 + next(160)) / 100 * slow + next(90) * next(90) * next(90) / 40;
            let sql = with_numbers(statement, &mut next);
            let (day, clock) = (minute / 1440 + 26, format!("{hour:02}:{:02}:{:02}", minute % 60, (call * 4) % 60));
            let head =
                format!("2026-01-{day} {clock}.{:03} UTC [{}] {user}@shop web 10.0.0.{host} ", next(1000), 100 + call);
            let _ = match next(90) {
                0 => writeln!(
                    log,
                    "{head}ERROR:  duplicate key value violates unique constraint \"carts_pkey\"\n{head}STATEMENT:  {sql}"
                ),
                _ => writeln!(log, "{head}LOG:  duration: {}.{:03} ms  statement: {sql}", micros / 1000, micros % 1000),
            };
        }
    }
    log
}

/// Replaces each `#` of a statement with a number.
fn with_numbers(statement: &str, next: &mut impl FnMut(u64) -> u64) -> String {
    let mut sql = String::new();
    for (index, part) in statement.split('#').enumerate() {
        let _ = if index == 0 { write!(sql, "{part}") } else { write!(sql, "{}{part}", next(500) + 1) };
    }
    sql
}

/// Prepares the page for a picture. Disables its CSS rules for print and for small windows, sets the theme, and formats
/// the page as one sheet.
fn as_on_a_screen(html: &str, theme: &str) -> String {
    let exact = "html,body{background:var(--page)} *{print-color-adjust:exact;-webkit-print-color-adjust:exact}";
    let policy = html.find("<meta http-equiv=\"Content-Security-Policy\"");
    let end = policy.and_then(|start| Some(start + html[start..].find('>')? + 1));
    let html = match policy.zip(end) {
        Some((start, end)) => format!("{}{}", &html[..start], &html[end..]),
        None => html.to_string(),
    };
    html.replace("@media print", "@media not all")
        .replace("@media (max-width", "@media not all and (max-width")
        .replace("@page { margin: 14mm 12mm; }", "@page { size: 1280px 1060px; margin: 0; }")
        .replace("<html lang=\"en\">", &format!("<html lang=\"en\" data-theme=\"{theme}\">"))
        .replace("</style>", &format!("{exact}</style>"))
}

/// Cuts the numbers of a picture after two decimals. This removes a third of the picture's bytes.
fn with_two_decimals(svg: &str) -> String {
    let (mut out, mut decimals) = (String::with_capacity(svg.len()), None);
    for c in svg.chars() {
        decimals = match (c, decimals) {
            ('.', _) => Some(0),
            ('0'..='9', Some(count)) => Some(count + 1),
            _ => None,
        };
        if decimals.is_none_or(|count| count <= 2) {
            out.push(c);
        }
    }
    out
}
