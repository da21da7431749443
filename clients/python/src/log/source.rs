//! Reads the bytes of a log. Removes the envelopes of its lines, such as a container's JSON ([`Unwrapper`]).

use std::io::{self, Read};

use pgq_log::{BeforeWait, ByteSource, Unwrapper};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Number of bytes per read.
const READ_BYTES: usize = 1 << 20;

/// A buffered reader.
pub struct Source {
    reader: Box<dyn Read + Send>,
    bytes: Vec<u8>,
    start: usize,
    is_complete: bool,
    unwrapper: Option<Unwrapper>,
}

impl Source {
    /// Opens a path, bytes, or an object with `read`. Returns its name and the source.
    pub fn open(source: &Bound<'_, PyAny>) -> PyResult<(String, Self)> {
        let (name, reader): (String, Box<dyn Read + Send>) = if let Ok(bytes) = source.cast::<PyBytes>() {
            ("-".into(), Box::new(io::Cursor::new(bytes.as_bytes().to_vec())))
        } else if source.hasattr("read")? {
            ("-".into(), Box::new(PythonFile(source.clone().unbind())))
        } else {
            let path: std::path::PathBuf = source.extract()?;
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            (name, Box::new(std::fs::File::open(&path)?))
        };
        Ok((name, Self { reader, bytes: Vec::new(), start: 0, is_complete: false, unwrapper: None }))
    }

    /// Removes the envelopes from the bytes that were read and from all later bytes.
    pub fn unwrap_lines(&mut self, mut unwrapper: Unwrapper) -> io::Result<()> {
        let mut lines = Vec::new();
        unwrapper.feed(self.bytes(), &mut lines)?;
        if self.is_complete {
            unwrapper.finish(&mut lines)?;
        }
        (self.bytes, self.start, self.unwrapper) = (lines, 0, Some(unwrapper));
        Ok(())
    }
}

impl ByteSource for Source {
    fn bytes(&self) -> &[u8] {
        &self.bytes[self.start..]
    }

    fn is_complete(&self) -> bool {
        self.is_complete
    }

    fn fill(&mut self, _before_wait: BeforeWait<'_>) -> io::Result<()> {
        self.bytes.drain(..std::mem::take(&mut self.start));
        let mut read = Vec::with_capacity(READ_BYTES);
        (&mut self.reader).take(READ_BYTES as u64).read_to_end(&mut read)?;
        self.is_complete = read.len() < READ_BYTES;
        match &mut self.unwrapper {
            None => self.bytes.append(&mut read),
            Some(unwrapper) => {
                unwrapper.feed(&read, &mut self.bytes)?;
                if self.is_complete {
                    unwrapper.finish(&mut self.bytes)?;
                }
            }
        }
        Ok(())
    }

    fn consume(&mut self, count: usize) {
        self.start += count;
    }

    fn take(&mut self, count: usize) -> Vec<u8> {
        let taken = self.bytes[self.start..self.start + count].to_vec();
        self.start += count;
        taken
    }

    fn take_rotated(&mut self) -> bool {
        false
    }

    fn mark_complete(&mut self) {
        self.is_complete = true;
    }
}

/// An object with a method `read(n)` that returns bytes.
struct PythonFile(Py<PyAny>);

impl Read for PythonFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        Python::attach(|py| {
            let read = self.0.bind(py).call_method1("read", (buffer.len(),)).map_err(io::Error::other)?;
            let read = read
                .cast_into::<PyBytes>()
                .map_err(|_| io::Error::other("read() returned no bytes: open the file with \"rb\""))?;
            let bytes = read.as_bytes();
            if bytes.len() > buffer.len() {
                return Err(io::Error::other("read() returned more bytes than were asked for"));
            }
            buffer[..bytes.len()].copy_from_slice(bytes);
            Ok(bytes.len())
        })
    }
}
