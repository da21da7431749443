//! Finds out which files match the ignore patterns of a git repository. Does not read the configuration of git. Also
//! parses the patterns of `exclude` in pgq.toml, which have the same syntax.

use std::collections::HashMap;
use std::fs;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// The ignore patterns of a folder and of its parent folders, up to the root of the git repository.
pub struct Ignored {
    /// Path of the folder as given by the user. `real` is its absolute path without symbolic links and `..`.
    root: PathBuf,
    real: PathBuf,
    known: Mutex<HashMap<PathBuf, Folder>>,
    unreadable: Mutex<Vec<ignore::Error>>,
}

struct Folder {
    /// The patterns with the highest precedence are first.
    patterns: Vec<Gitignore>,
    is_repository: bool,
    /// Whether a file of patterns cannot be read. In this case, all content of the folder counts as ignored.
    is_unreadable: bool,
}

impl Ignored {
    pub fn new(root: &Path) -> Self {
        let real = fs::canonicalize(root).unwrap_or_else(|_| root.to_path_buf());
        Self { root: root.to_path_buf(), real, known: Mutex::default(), unreadable: Mutex::default() }
    }

    /// Whether the patterns ignore a file or folder below the root. Must not be called for the content of
    /// an ignored folder.
    pub fn contains(&self, path: &Path, is_folder: bool) -> bool {
        let path = self.real.join(path.strip_prefix(&self.root).unwrap_or(path));
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        for parent in path.ancestors().skip(1) {
            let folder = known.entry(parent.to_path_buf()).or_insert_with(|| Folder::read(parent, &self.unreadable));
            if folder.is_unreadable {
                return true;
            }
            for patterns in &folder.patterns {
                match patterns.matched(&path, is_folder) {
                    Match::None => {}
                    found => return found.is_ignore(),
                }
            }
            if folder.is_repository {
                break;
            }
        }
        false
    }

    /// Returns one error for each file of patterns that could not be read. Later calls do not return these errors
    /// again.
    pub fn take_unreadable(&self) -> Vec<ignore::Error> {
        std::mem::take(&mut self.unreadable.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Folder {
    /// Reads the patterns of a folder. Adds an error to `unreadable` for each file that cannot be read.
    fn read(folder: &Path, unreadable: &Mutex<Vec<ignore::Error>>) -> Self {
        let git = folder.join(".git");
        let is_repository = git.exists();
        // Like git, skips a symbolic link: the repository may come from somebody else, so the link
        // may refer to any file.
        let mut files: Vec<_> = Some(folder.join(".gitignore")).filter(|file| !file.is_symlink()).into_iter().collect();
        if is_repository {
            files.push(common_folder(&git).join("info/exclude"));
        }
        let mut known = Self { patterns: Vec::new(), is_repository, is_unreadable: false };
        for file in files {
            match patterns(folder, &file) {
                Ok(patterns) => known.patterns.extend(patterns),
                Err(error) => {
                    known.is_unreadable = true;
                    let error = ignore::Error::WithPath { path: file, err: Box::new(error.into()) };
                    unreadable.lock().unwrap_or_else(PoisonError::into_inner).push(error);
                }
            }
        }
        known
    }
}

/// Maximum length of a file of patterns or settings, in bytes.
pub const MAX_BYTES: u64 = 1 << 20;

/// Reads a file. Returns `None` if it does not exist or is longer than [`MAX_BYTES`]. Also returns `None` if it is not
/// a regular file, because a device or pipe may have no end.
fn read(file: &Path) -> io::Result<Option<String>> {
    let metadata = match fs::metadata(file) {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(None),
        found => found?,
    };
    if !metadata.is_file() || metadata.len() > MAX_BYTES {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    fs::File::open(file)?.take(MAX_BYTES).read_to_end(&mut bytes)?;
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}

/// Returns the git folder that all worktrees of a repository share. In an additional worktree,
/// `.git` is a file that contains the path of the worktree's own git folder.
fn common_folder(git: &Path) -> PathBuf {
    let Ok(Some(link)) = read(git) else { return git.to_path_buf() };
    let path = link.trim_start_matches("gitdir:").trim();
    let folder = git.parent().unwrap_or(Path::new("")).join(path);
    match read(&folder.join("commondir")) {
        Ok(Some(common)) => folder.join(common.trim()),
        _ => folder,
    }
}

/// Reads patterns from a file. The patterns are relative to `root`. Returns `None` if [`read`]
/// returns `None`.
fn patterns(root: &Path, file: &Path) -> io::Result<Option<Gitignore>> {
    let Some(text) = read(file)? else { return Ok(None) };
    let mut builder = GitignoreBuilder::new(root);
    for line in text.trim_start_matches('\u{feff}').lines() {
        // As in git, an invalid pattern matches nothing.
        let _ = add(&mut builder, line);
    }
    Ok(builder.build().ok())
}

/// Adds a pattern in the syntax of `.gitignore`.
///
/// # Errors
/// The pattern is invalid.
pub fn add(builder: &mut GitignoreBuilder, pattern: &str) -> Result<(), ignore::Error> {
    builder.add_line(None, &with_literal_braces(pattern)).map(drop)
}

/// Escapes the braces of a pattern. `GitignoreBuilder` would interpret `{a,b}` as the alternatives
/// `a` and `b`, whereas git has no alternatives.
fn with_literal_braces(pattern: &str) -> String {
    let mut escaped = String::with_capacity(pattern.len());
    let (mut in_class, mut after_backslash) = (false, false);
    for c in pattern.chars() {
        match c {
            '[' if !after_backslash => in_class = true,
            ']' => in_class = false,
            '{' | '}' if !in_class && !after_backslash => escaped.push('\\'),
            _ => {}
        }
        after_backslash = c == '\\' && !after_backslash;
        escaped.push(c);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::Ignored;

    fn ignored(folder: &Path, names: &[&str]) -> Vec<String> {
        let ignored = Ignored::new(folder);
        let is_ignored = |name: &&&str| ignored.contains(&folder.join(name.trim_end_matches('/')), name.ends_with('/'));
        names.iter().filter(is_ignored).map(ToString::to_string).collect()
    }

    #[test]
    fn patterns_are_those_of_git() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let file = folder.path().join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        };
        write(".git/info/exclude", "local.sql\n");
        write(".gitignore", "\u{feff}*.{sql,bak}\r\n{a,b}.sql\nx\\{1\\}.sql\n[{]*.sql\nvendor/\n!kept.sql\n[z\n");
        write("sub/.gitignore", "!{a,b}.sql\n/kept.sql\n");
        let names = ["a.sql", "a.{sql,bak}", "{a,b}.sql", "x{1}.sql", "{y.sql", "vendor/", "vendor", "local.sql"];
        assert_eq!(
            ignored(folder.path(), &names),
            ["a.{sql,bak}", "{a,b}.sql", "x{1}.sql", "{y.sql", "vendor/", "local.sql"]
        );
        let names = ["{a,b}.sql", "kept.sql", "deep/kept.sql", "deep/{y.sql", "deep/local.sql"];
        assert_eq!(ignored(&folder.path().join("sub"), &names), ["kept.sql", "deep/{y.sql", "deep/local.sql"]);
        // The `info/exclude` of a repository also applies in its worktrees.
        write(".git/worktrees/w/commondir", "../..\n");
        let worktree = folder.path().join("w");
        let link = folder.path().join(".git/worktrees/w");
        write("w/.git", &format!("gitdir: {}\n", link.display()));
        assert_eq!(ignored(&worktree, &["local.sql", "vendor/"]), ["local.sql"]);
    }
    #[test]
    #[cfg(unix)]
    fn a_file_without_an_end_is_not_read() {
        for name in [".gitignore", ".git", ".git/info/exclude"] {
            for target in ["/dev/zero", "/dev/urandom"] {
                let folder = tempfile::tempdir().unwrap();
                let link = folder.path().join(name);
                fs::create_dir_all(link.parent().unwrap()).unwrap();
                std::os::unix::fs::symlink(target, link).unwrap();
                assert!(ignored(folder.path(), &["a.sql"]).is_empty());
            }
        }
        // Like git, does not read a `.gitignore` that is a symbolic link, even if the link refers to a regular file.
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("patterns"), "*.sql\n").unwrap();
        std::os::unix::fs::symlink("patterns", folder.path().join(".gitignore")).unwrap();
        assert!(ignored(folder.path(), &["a.sql"]).is_empty());
    }
}
