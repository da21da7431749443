//! `cargo xtask docs`: builds the documentation of all crates, as the site docs.rs does. If `mdbook` is installed, also
//! builds the pages of docs/ as a book in target/book.

use xshell::{Shell, cmd};

pub fn run(shell: &Shell) -> anyhow::Result<()> {
    cmd!(shell, "cargo doc --workspace --no-deps").env("RUSTDOCFLAGS", "-D warnings").run()?;
    if cmd!(shell, "mdbook --version").ignore_stdout().ignore_stderr().quiet().run().is_ok() {
        cmd!(shell, "mdbook build").run()?;
    } else {
        println!("left out: the book (`cargo install mdbook` makes it part of this)");
    }
    Ok(())
}
