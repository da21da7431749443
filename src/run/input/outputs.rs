//! Recognizes the program's own outputs among its inputs.

use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::{Result, bail, ensure};

use super::name::path_name;

/// Prefix and suffix of the name of an incomplete output file.
pub const INCOMPLETE_NAME: (&str, &str) = (".pgq-", ".part");

/// Number of random letters and digits between the prefix and the suffix.
pub const INCOMPLETE_RANDOM: usize = 6;

/// Whether a file name is the name of an incomplete output.
pub fn is_incomplete_output(name: &str) -> bool {
    let random = name.strip_prefix(INCOMPLETE_NAME.0).and_then(|name| name.strip_suffix(INCOMPLETE_NAME.1));
    random.is_some_and(|it| it.len() == INCOMPLETE_RANDOM && it.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

/// Refuses an output that is the same file as an input, even if their paths differ. Standard output is also an output.
/// Also refuses an input with the name of an incomplete output, because runs remove such files. The input `None` is
/// standard input.
///
/// # Errors
/// An input and an output are the same file, or an input has the name of an incomplete output.
pub fn refuse_replaced_inputs<'a>(
    inputs: impl IntoIterator<Item = Option<&'a Path>>,
    outputs: impl IntoIterator<Item = &'a Path>,
) -> Result<()> {
    let inputs: Vec<Option<&Path>> = inputs.into_iter().collect();
    let name = |path: &Path| Some(without_links(path.to_path_buf()).ok()?.file_name()?.to_string_lossy().into_owned());
    let is_incomplete = |path: &&&Path| name(path).is_some_and(|name| is_incomplete_output(&name));
    if let Some(path) = inputs.iter().flatten().find(is_incomplete) {
        bail!("{} has the name of an incomplete output, which pgq removes: rename it", path_name(path));
    }
    let of_path = |path| Some((path, FileId::of_path(path)?));
    let stdout = FileId::of_descriptor(&std::io::stdout()).map(|id| (Path::new("standard output"), id));
    let outputs: Vec<(&Path, FileId)> = outputs.into_iter().filter_map(of_path).chain(stdout).collect();
    if outputs.is_empty() {
        return Ok(());
    }
    for input in inputs {
        let id = input.map_or_else(|| FileId::of_descriptor(&std::io::stdin()), FileId::of_path);
        if let Some((path, _)) = outputs.iter().find(|(_, output)| Some(output) == id.as_ref()) {
            bail!("{} is an input, which the output would replace: write to another file", path_name(path));
        }
    }
    Ok(())
}

/// Maximum number of symbolic links to follow from a path to its file. Linux has the same limit.
const MAX_LINKS: usize = 40;

/// Returns the path at the end of a chain of links. The path need not exist.
pub fn without_links(mut path: PathBuf) -> Result<PathBuf> {
    let mut links = 0;
    while let Ok(target) = std::fs::read_link(&path) {
        // A link in /proc leads to an open file. For example, /dev/stdout leads to the file to which standard output is
        // redirected. A new file would replace this file, and its earlier content would be lost. Therefore such a link
        // is refused.
        let is_open =
            path.starts_with("/proc") || folder_of(&path).canonicalize().is_ok_and(|it| it.starts_with("/proc"));
        ensure!(!is_open, "is an open file: use - for standard output, or the file's own name");
        links += 1;
        ensure!(links <= MAX_LINKS, "is a circular chain of links, or has too many links");
        path = folder_of(&path).join(target);
    }
    Ok(path)
}

/// Returns the folder of a file.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Returns whether the file at `path` is standard output or one of `outputs`.
pub fn is_output(path: &Path, outputs: &[PathBuf]) -> bool {
    let Some(id) = FileId::of_path(path) else { return false };
    let mut ids = outputs.iter().filter_map(|output| FileId::of_path(output));
    ids.any(|output| output == id) || FileId::of_descriptor(&std::io::stdout()).is_some_and(|stdout| stdout == id)
}

/// The inputs that this run has opened.
static READ: Mutex<Vec<FileId>> = Mutex::new(Vec::new());

fn read_files() -> MutexGuard<'static, Vec<FileId>> {
    READ.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Notes that the file at `path` is an input.
pub(super) fn note_read(path: &Path) {
    read_files().extend(FileId::of_path(path));
}

/// Notes that the file at `path` is new. It may have the identity of an input that was deleted.
pub fn note_written(path: &Path) {
    let id = FileId::of_path(path);
    read_files().retain(|read| Some(read) != id.as_ref());
}

/// Whether the file at `path` is an input that this run has opened, perhaps under another name.
pub fn was_read(path: &Path) -> bool {
    FileId::of_path(path).is_some_and(|id| read_files().contains(&id))
}

/// Identity of a regular file or a pipe, to detect an output that would replace an input. Devices need no identity,
/// because an output does not replace them.
#[derive(PartialEq, Eq)]
#[cfg(unix)]
pub struct FileId(u64, u64);

#[cfg(unix)]
impl FileId {
    pub fn of_path(path: &Path) -> Option<Self> {
        Self::of(&std::fs::metadata(path).ok()?)
    }

    fn of_descriptor(stream: &impl std::os::fd::AsFd) -> Option<Self> {
        let copy = stream.as_fd().try_clone_to_owned().ok()?;
        Self::of(&std::fs::File::from(copy).metadata().ok()?)
    }

    fn of(metadata: &Metadata) -> Option<Self> {
        use std::os::unix::fs::{FileTypeExt, MetadataExt};

        (metadata.is_file() || metadata.file_type().is_fifo()).then(|| Self(metadata.dev(), metadata.ino()))
    }
}

/// The resolved path of a file. Standard input has no path.
#[derive(PartialEq, Eq)]
#[cfg(not(unix))]
pub struct FileId(PathBuf);

#[cfg(not(unix))]
impl FileId {
    pub fn of_path(path: &Path) -> Option<Self> {
        std::fs::metadata(path).ok().filter(Metadata::is_file)?;
        path.canonicalize().ok().map(Self)
    }

    fn of_descriptor<T>(_: &T) -> Option<Self> {
        None
    }
}
