//! Tests that frames and bodies are read as they were written. Arbitrary input must not cause a panic or a read beyond
//! the end of the input.

use pgq_frames::answer::{self, Outcome, Status};
use pgq_frames::postgres::{Execute, Prepare, parameters};
use pgq_frames::{Answer, ErrorCode, Fault, FrameError, HEADER_BYTES, Place, Request, batch, flag, request};
use proptest::collection::vec;
use proptest::prelude::*;

const LIMIT: usize = 1 << 20;

proptest! {
    #[test]
    fn a_request_is_read_as_it_was_written(
        id: u32, operation: u8, flags: u8, handle: u16, body in vec(any::<u8>(), 0..200), behind in vec(any::<u8>(), 0..20),
    ) {
        let written = Request { id, operation, flags, handle, body: &body };
        let mut bytes = Vec::new();
        request::write(&mut bytes, &written);
        let length = bytes.len();
        for end in 0..length {
            prop_assert_eq!(request::read(&bytes[..end], LIMIT), Ok(None), "a frame without its end is not complete");
        }
        bytes.extend(behind);
        prop_assert_eq!(request::length(&bytes), Some(length));
        prop_assert_eq!(request::read(&bytes, LIMIT), Ok(Some((written, length))));
    }

    #[test]
    fn a_batch_is_read_as_it_was_written(texts in vec(vec(any::<u8>(), 0..50), 0..20), cut in any::<prop::sample::Index>()) {
        let mut bytes = Vec::new();
        request::write_batch(&mut bytes, 7, 16, 3, &texts);
        let (read, _) = request::read(&bytes, LIMIT).unwrap().unwrap();
        prop_assert_eq!((read.id, read.operation, read.flags, read.handle), (7, 16, flag::BATCH, 3));
        let read_texts: Vec<&[u8]> = batch::read(read.body).unwrap().collect();
        prop_assert_eq!(read_texts, texts);
        // A truncated batch yields no texts.
        prop_assert!(batch::read(&read.body[..cut.index(read.body.len())]).is_err());
    }

    #[test]
    fn items_are_read_as_they_were_written(items in vec((0_u8..3, any::<u8>(), any::<u16>(), vec(any::<u8>(), 0..30)), 0..20), more: bool) {
        let status = |number| [Status::Done, Status::Error, Status::NotRun][usize::from(number)];
        let mut out = b"what is before it".to_vec();
        let before = out.len();
        let mut open = answer::begin_items(&mut out, 9);
        for (number, flags, code, body) in &items {
            let start = open.begin_item(&mut out);
            out.extend_from_slice(body);
            open.finish_item(&mut out, start, Outcome { status: status(*number), flags: *flags, code: *code });
        }
        prop_assert_eq!(open.count() as usize, items.len());
        open.finish(&mut out, more);
        let (read, used) = Answer::read(&out[before..], LIMIT).unwrap().unwrap();
        prop_assert_eq!((read.id, used), (9, out.len() - before));
        prop_assert_eq!(read.flags, flag::BATCH | if more { flag::MORE } else { 0 });
        let read_items = read.items().unwrap();
        prop_assert_eq!(read_items.len(), items.len());
        for (read, (number, flags, code, body)) in read_items.iter().zip(&items) {
            prop_assert_eq!(read.outcome, Outcome { status: status(*number), flags: *flags, code: *code });
            prop_assert_eq!(read.body, &body[..]);
        }
    }

    #[test]
    fn any_bytes_are_read_without_a_panic(bytes in vec(any::<u8>(), 0..300), limit in 8_usize..400) {
        if let Ok(Some((read, used))) = request::read(&bytes, limit) {
            prop_assert!(used <= bytes.len() && used == HEADER_BYTES + read.body.len() && used - 4 <= limit);
        }
        if let Ok(Some((read, _))) = Answer::read(&bytes, limit) {
            let _ = (read.items(), Fault::read(read.code, read.body));
        }
        let _ = (batch::read(&bytes).map(Iterator::count), Prepare::read(&bytes), Execute::read(&bytes));
        let values: usize = parameters(&bytes).map_while(Result::ok).flatten().map(<[u8]>::len).sum();
        prop_assert!(values <= bytes.len());
    }
}

#[test]
fn lengths_are_judged_from_the_header_alone() {
    let broken = 7_u32.to_le_bytes();
    assert_eq!(request::read(&broken, LIMIT), Err(FrameError::Broken(7)));
    let mut long = Vec::new();
    request::write(&mut long, &Request { id: 5, operation: 16, flags: 0, handle: 0, body: &[0; 100] });
    let refused = Err(FrameError::TooLong { id: 5, length: 108, limit: 107 });
    assert_eq!(request::read(&long[..HEADER_BYTES], 107), refused);
    assert!(request::read(&long, 108).unwrap().is_some());
}

#[test]
fn an_error_keeps_its_place_and_fields() {
    let place = Place { offset: 7, line: 1, column: 8 };
    let fault = Fault::new(ErrorCode::Syntax, "syntax error").at(place).with(b'H', Some("x")).with(b'D', None);
    let mut body = Vec::new();
    fault.write(&mut body);
    assert_eq!(Fault::read(1, &body).unwrap(), fault);
    assert_eq!((fault.message(), fault.field(b'H'), fault.field(b'D')), ("syntax error", Some("x"), None));
    assert!(Fault::read(9999, &body).is_err() && Fault::read(1, &body[..body.len() - 1]).is_err());
}

#[test]
fn parameters_are_binds() {
    let row = [&2_i32.to_be_bytes()[..], b"ab", &(-1_i32).to_be_bytes(), &0_i32.to_be_bytes()].concat();
    let values: Result<Vec<_>, _> = parameters(&row).collect();
    assert_eq!(values.unwrap(), [Some(&b"ab"[..]), None, Some(b"")]);
    for bad in [&[0, 0, 0][..], &(-2_i32).to_be_bytes(), &[0, 0, 0, 2, 1]] {
        assert!(parameters(bad).last().unwrap().is_err(), "{bad:?}");
    }
}
