//! Tests of private items, which `pgq::internals` exports. All these tests form one program. Separate test programs
//! would each be linked with the whole library.

#[path = "../common/mod.rs"]
mod common;

#[cfg(all(feature = "cli", not(pgq_asan)))]
mod allocator;
mod builders;
mod constants;
mod format_check;
mod json_text;
mod layout;
mod parser;
mod placeholders;
mod results;
mod same_tree;
mod shape_key;
mod shape_template;
mod sort;
mod stack;
mod template;
mod token_stream;
mod trees;
