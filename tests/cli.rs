//! The command line: each case is a file under tests/cli/ with arguments, standard input and the
//! expected output. Output with backslashes is in files of its own, because trycmd would read them
//! as path separators. `TRYCMD=overwrite cargo test --test cli` writes the output into the files.

#[test]
fn cli() {
    trycmd::TestCases::new().case("tests/cli/*/*.toml").case("README.md");
}
