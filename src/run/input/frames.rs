//! Reads the frames of an lz4 file. Passes over skippable frames, which are not part of the content.

use std::io::{self, BufRead, BufReader, Cursor, Read};

use lz4_flex::frame::FrameDecoder;

use super::storage::{FRAME_BYTES, Storage, storage};

/// Passes over skippable frames. Returns the magic number of the next frame, or `None` at the end.
pub fn next_magic(input: &mut BufReader<Box<dyn Read + Send>>) -> io::Result<Option<[u8; FRAME_BYTES]>> {
    while !input.fill_buf()?.is_empty() {
        let (mut magic, mut length) = ([0; FRAME_BYTES], [0; 4]);
        input.read_exact(&mut magic)?;
        if storage(&magic) != Storage::Skipped {
            return Ok(Some(magic));
        }
        input.read_exact(&mut length)?;
        let length = u64::from(u32::from_le_bytes(length));
        if io::copy(&mut input.by_ref().take(length), &mut io::sink())? < length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
    Ok(None)
}

/// A reader of all concatenated frames of an lz4 file. A `FrameDecoder` alone stops after one
/// frame.
pub struct Lz4Frames(Option<FrameDecoder<Ended>>);

/// An input that records whether its end was reached. The lz4 decoder itself reports the end of a frame and the end of
/// the input in the same way.
struct Ended {
    /// The magic number of the frame, if it was already read.
    start: Cursor<Vec<u8>>,
    input: BufReader<Box<dyn Read + Send>>,
    is_at_end: bool,
}

impl Ended {
    fn new(start: Vec<u8>, input: BufReader<Box<dyn Read + Send>>) -> Self {
        Self { start: Cursor::new(start), input, is_at_end: false }
    }
}

impl Read for Ended {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let start = self.start.read(buffer)?;
        if start > 0 {
            return Ok(start);
        }
        let read = self.input.read(buffer)?;
        self.is_at_end = read == 0 && !buffer.is_empty();
        Ok(read)
    }
}

impl Lz4Frames {
    pub fn new(input: BufReader<Box<dyn Read + Send>>) -> Self {
        Self(Some(FrameDecoder::new(Ended::new([].into(), input))))
    }
}

impl Read for Lz4Frames {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(decoder) = &mut self.0 {
            let read = decoder.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            let mut ended = self.0.take().expect("it was there").into_inner();
            if ended.is_at_end {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            if let Some(magic) = next_magic(&mut ended.input)? {
                self.0 = Some(FrameDecoder::new(Ended::new(magic.into(), ended.input)));
            }
        }
        Ok(0)
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Read, Write};

    use super::super::compressed::Decompressed;

    fn read(bytes: Vec<u8>) -> Result<Vec<u8>, String> {
        let mut all = Vec::new();
        let mut input = Decompressed::new(Box::new(Cursor::new(bytes)));
        input.read_to_end(&mut all).map(|_| all).map_err(|error| error.to_string())
    }

    #[test]
    fn frames_that_decoders_skip_are_skipped() {
        let frame = |first: u8| [&[first, 0x2A, 0x4D, 0x18, 4, 0, 0, 0][..], b"abcd"].concat();
        let text = b"SELECT 1;\n".repeat(1000);
        let mut lz4 = lz4_flex::frame::FrameEncoder::new(Vec::new());
        lz4.write_all(&text).unwrap();
        for compressed in [lz4.finish().unwrap(), zstd::encode_all(&text[..], 1).unwrap()] {
            for first in 0x50..=0x5F {
                assert_eq!(read([frame(first), compressed.clone()].concat()), Ok(text.clone()));
            }
            let many = frame(0x53).repeat(100_000);
            assert_eq!(read([&many, &compressed[..], &many, &compressed, &many].concat()), Ok(text.repeat(2)));
            for end in 4..12 {
                assert!(read(frame(0x53)[..end].to_vec()).unwrap_err().contains("is truncated"));
                let cut = [&compressed[..], &frame(0x53)[..end]].concat();
                assert!(read(cut).is_err());
            }
        }
        assert!(read([frame(0x53), b"SELECT 1;\n".to_vec()].concat()).unwrap_err().contains("neither zstd nor lz4"));
        assert_eq!(read(b"S*M ".to_vec()).unwrap(), b"S*M ");
        assert_eq!(read(frame(0x53)).unwrap(), b"");
    }
}
