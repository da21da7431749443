//! Runs the program on files, logs and the examples of the documents, and checks the project's own rules. All these
//! tests form one program. Separate test programs would each be linked with the whole library.

#[path = "../common/mod.rs"]
mod common;

mod comments;
mod cookbook;
mod examples;
mod faults;
mod features;
mod folders;
mod forged;
mod layers;
mod logs;
mod musl;
mod ordinary_user;
mod outputs;
mod packaging;
mod rotated;
mod security;
mod server;
mod spark;
mod tables;
