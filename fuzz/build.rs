//! The program's modules, which the target `logs` is made of, name a version in their help.

fn main() {
    println!("cargo::rustc-env=PGQ_POSTGRES_VERSION=fuzz");
}
