//! Finds the lengths of addresses and backend types in a line. This module must not depend on the modules for prefixes,
//! because the module for envelopes uses it, too.

use std::net::{Ipv4Addr, Ipv6Addr};

/// Types of backends (miscinit.c: GetBackendTypeDesc).
const BACKENDS: [&str; 23] = [
    "archiver",
    "autovacuum launcher",
    "autovacuum worker",
    "background worker",
    "background writer",
    "checkpointer",
    "client backend",
    "dead-end client backend",
    "io worker",
    "logger",
    "logical replication launcher",
    "logical replication worker",
    "logical replication apply worker",
    "logical replication tablesync worker",
    "not initialized",
    "parallel worker",
    "postmaster",
    "slotsync worker",
    "startup",
    "walreceiver",
    "walsender",
    "walsummarizer",
    "walwriter",
];

/// Returns the length of the backend type at the start of `text`.
pub fn backend_len(text: &[u8]) -> usize {
    BACKENDS.iter().filter(|name| text.starts_with(name.as_bytes())).map(|name| name.len()).max().unwrap_or(0)
}

/// Returns the length of `host(port)`. A host with colons must be an IPv6 address.
pub fn host_port_len(text: &[u8]) -> usize {
    let is_host = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_' | b':' | b'%');
    let host = text.iter().take_while(|b| is_host(b)).count();
    let Some(port) = text[host..].strip_prefix(b"(") else { return 0 };
    let port = digits(port);
    let closed = text.get(host + 1 + port) == Some(&b')');
    let valid = !text[..host].contains(&b':') || is_ipv6(&text[..host]);
    if host > 0 && (1..=5).contains(&port) && closed && valid { host + port + 2 } else { 0 }
}

/// Whether `text` is an IPv6 address, with or without a scope.
pub fn is_ipv6(text: &[u8]) -> bool {
    let address = text.split(|b| *b == b'%').next().unwrap_or_default(); // without a scope
    std::str::from_utf8(address).is_ok_and(|text| text.parse::<Ipv6Addr>().is_ok())
}

/// Returns the length of the shortest IPv4 or IPv6 address that ends at a token boundary, with its scope (`%eth0`).
pub fn address_len(text: &[u8]) -> usize {
    let dotted = text.iter().take_while(|b| b.is_ascii_digit() || **b == b'.').count();
    if std::str::from_utf8(&text[..dotted]).is_ok_and(|text| text.parse::<Ipv4Addr>().is_ok()) {
        return dotted;
    }
    let run = text.iter().take_while(|b| b.is_ascii_hexdigit() || matches!(b, b'.' | b':')).count();
    let run = &text[..run.min(45)];
    let is_end = |len: &usize| text.get(*len).is_none_or(|next| !next.is_ascii_alphanumeric());
    let is_address = |len: &usize| run[..*len].contains(&b':') && is_ipv6(&run[..*len]);
    let Some(len) = (3..=run.len()).filter(is_end).find(is_address) else { return 0 };
    let is_scope = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_');
    match text[len..].strip_prefix(b"%").map(|scope| scope.iter().take_while(is_scope).count()) {
        Some(scope @ 1..) => len + 1 + scope,
        _ => len,
    }
}

fn digits(text: &[u8]) -> usize {
    text.iter().take_while(|b| b.is_ascii_digit()).count()
}
