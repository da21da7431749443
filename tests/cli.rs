//! What a person types and sees: every case is a file under tests/cli/, with the arguments,
//! what is on standard input, and what must come out (in files beside it where there are
//! backslashes, which trycmd would take for paths). `TRYCMD=overwrite cargo test --test
//! cli` writes what came out into the files.

#[test]
fn cli() {
    trycmd::TestCases::new().case("tests/cli/*/*.toml").case("tests/cli/*/*.trycmd").case("README.md");
}
