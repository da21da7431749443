//! Lists the library's public items and marks those with documented panics. Reads the pages of `cargo doc` instead of
//! the source, because macros generate most items.

use std::fmt::Write;

use anyhow::Context;
use pgq_corpus::project_path;
use xshell::{Shell, cmd};

/// The list's path in the project.
pub const FILE: &str = "docs/public-items.txt";

const HEADER: &str = "\
# Public items of the library with the feature `proto`: methods, variants and fields after the colon.
# `!` marks an item whose documentation has panics. Written by `cargo xtask regenerate public-items`.
";

/// Kinds of members, as in the `id` attributes of rustdoc's pages.
const MEMBERS: [&str; 4] = ["method.", "tymethod.", "variant.", "structfield."];

/// Builds the documentation with `cargo doc`, and returns the list of public items.
pub fn text(shell: &Shell) -> anyhow::Result<String> {
    let doc = cmd!(shell, "cargo doc --quiet --package pgq --lib --no-deps --no-default-features --features proto");
    doc.env("PGQ_RUST_ALONE", "1").run()?; // no page needs the C library
    let folder = project_path("target/doc/pgq");
    let index = shell.read_file(folder.join("all.html"))?;
    let (_, items) = index.split_once("class=\"all-items\"").context("rustdoc's index has no items")?;
    let mut lines = Vec::new();
    for link in items.split("<li><a href=\"").skip(1) {
        let path = link.split('"').next().unwrap_or_default();
        // Omit the modules `symbol` and `proto`, which mirror PostgreSQL's tokens and libpg_query's Protobuf schema.
        if !path.starts_with("symbol/") && !path.starts_with("proto/") {
            lines.push(line(path, &shell.read_file(folder.join(path))?));
        }
    }
    anyhow::ensure!(!lines.is_empty(), "rustdoc's index has no items");
    lines.sort();
    Ok(format!("{HEADER}{}\n", lines.join("\n")))
}

/// Returns the line of an item. `path` is the path of its page, such as `nodes/struct.List.html`.
fn line(path: &str, page: &str) -> String {
    let (module, file) = path.rsplit_once('/').unwrap_or(("", path));
    let mut parts = file.split('.');
    let (kind, name) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let module = if module.is_empty() { String::new() } else { module.replace('/', "::") + "::" };
    let end = ["deref-methods", "trait-implementations", "synthetic-implementations", "blanket-implementations"];
    let ends = end.iter().filter_map(|section| page.find(&format!(" id=\"{section}")));
    let own = &page[..ends.min().unwrap_or(page.len())];
    let mut members = vec![format!("{module}{name} ({kind})")];
    for part in own.split(" id=\"").skip(1) {
        let id = part.split('"').next().unwrap_or_default();
        members.extend(MEMBERS.iter().find_map(|member| id.strip_prefix(member)).map(str::to_string));
        let panics = id.starts_with("panics") || part.contains("Panics if the enum");
        if let Some(last) = members.last_mut().filter(|last| panics && !last.ends_with('!')) {
            last.push('!');
        }
    }
    let mut line = members.remove(0);
    if !members.is_empty() {
        write!(line, ": {}", members.join(" ")).expect("writing to a string");
    }
    line
}
