//! Reads any bytes as requests and answers of `pgq serve`, with their bodies. No read may go beyond the end of the
//! bytes. Writing a request again must produce the same bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pgq_frames::postgres::{Execute, Prepare, parameters};
use pgq_frames::{Answer, Fault, HEADER_BYTES, Operation, batch, flag, request};

/// Maximum length of a frame. It is small, so that some lengths exceed it.
const LIMIT: usize = 4096;

fuzz_target!(|bytes: &[u8]| {
    let mut rest = bytes;
    while let Ok(Some((read, used))) = request::read(rest, LIMIT) {
        assert!(used <= rest.len() && used == HEADER_BYTES + read.body.len() && used <= LIMIT + 4);
        let mut written = Vec::new();
        request::write(&mut written, &read);
        assert_eq!(written, rest[..used]);
        if read.flags & flag::BATCH != 0
            && let Ok(texts) = batch::read(read.body)
        {
            let texts: Vec<&[u8]> = texts.collect();
            let mut written = Vec::new();
            batch::write(&mut written, &texts);
            assert_eq!(written, read.body);
        }
        match Operation::from_number(read.operation) {
            Some(Operation::Prepare) => _ = Prepare::read(read.body),
            Some(Operation::Execute) => {
                if let Ok(execute) = Execute::read(read.body) {
                    let values: usize = execute.rows.map(|row| parameters(row).count()).sum();
                    assert!(values <= read.body.len());
                }
            }
            _ => {}
        }
        rest = &rest[used..];
    }
    let mut rest = bytes;
    while let Ok(Some((read, used))) = Answer::read(rest, LIMIT) {
        if let Ok(items) = read.items() {
            assert!(items.iter().map(|item| item.body.len() + 8).sum::<usize>() + 4 == read.body.len());
        }
        let _ = Fault::read(read.code, read.body);
        rest = &rest[used..];
    }
});
