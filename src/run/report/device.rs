//! An output that is written directly, without a temporary file: a device or a pipe.

use std::fs::{File, Metadata};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};

/// A device, or a pipe that is opened by the first write.
pub struct Device {
    path: PathBuf,
    file: Option<File>,
}

impl Device {
    /// Opens a device. A pipe is opened later, by the first write.
    ///
    /// # Errors
    /// The device cannot be opened, or is a terminal.
    pub fn at(path: &Path, metadata: &Metadata) -> Result<Self> {
        let mut device = Self { path: path.to_path_buf(), file: None };
        // A pipe is opened later, by the first write, because opening it waits for a reader. If the pipe is also an
        // input of this run, the wait would never end. Such a run is refused before the first write.
        if !is_pipe(metadata) {
            // A terminal is refused, because pgq escapes control characters only on standard output.
            ensure!(!device.opened()?.is_terminal(), "is a terminal: use - for standard output");
        }
        Ok(device)
    }

    fn opened(&mut self) -> io::Result<&mut File> {
        match &mut self.file {
            Some(file) => Ok(file),
            file => Ok(file.insert(File::options().write(true).open(&self.path)?)),
        }
    }
}

impl Write for Device {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.opened()?.write(bytes)
    }

    /// Opens a pipe even if there is no output, so that its reader sees the end.
    fn flush(&mut self) -> io::Result<()> {
        self.opened()?.flush()
    }
}

fn is_pipe(metadata: &Metadata) -> bool {
    #[cfg(unix)]
    let is_pipe = std::os::unix::fs::FileTypeExt::is_fifo(&metadata.file_type());
    #[cfg(not(unix))]
    let is_pipe = false;
    is_pipe
}
