//! Settings from pgq.toml. A formatted file has the settings of the pgq.toml in its folder, or in
//! the nearest parent folder that contains one.

use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use anyhow::{Context, Result, anyhow, bail, ensure};
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use pgq::FormatOptions;
use serde::Deserialize;

use super::{StyleArgs, ignored};
use crate::run::input::path_name;

const NAME: &str = "pgq.toml";

/// A settings file.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    format: StyleArgs,
}

/// Settings for a file.
pub struct Config {
    pub options: FormatOptions,
    excluded: Gitignore,
}

impl Config {
    /// Whether the settings exclude a file. As in git, no pattern can re-include a file whose folder is excluded.
    pub fn excludes(&self, file: &Path) -> bool {
        let file = std::path::absolute(file).unwrap_or_else(|_| file.to_path_buf());
        let Ok(below) = file.strip_prefix(self.excluded.path()) else { return false };
        let mut path = self.excluded.path().to_path_buf();
        let mut names = below.components().peekable();
        while let Some(name) = names.next() {
            path.push(name);
            if self.excluded.matched(&path, names.peek().is_some()).is_ignore() {
                return true;
            }
        }
        false
    }
}

/// Settings by folder. Each settings file is read once.
pub struct Configs {
    style: StyleArgs,
    fixed: Option<Rc<Config>>,
    of_folders: HashMap<PathBuf, Rc<Config>>,
}

impl Configs {
    /// If `file` is given, its settings apply to all folders. Without `file`, the defaults apply if `none` is true. In
    /// all other cases, the nearest pgq.toml of each folder applies.
    ///
    /// # Errors
    /// `file` cannot be read.
    pub fn new(file: Option<&Path>, none: bool, style: &StyleArgs) -> Result<Self> {
        let fixed = match file {
            Some(file) => Some(Rc::new(read(file, style)?)),
            None if none => Some(Rc::new(default(style))),
            None => None,
        };
        Ok(Self { style: style.clone(), fixed, of_folders: HashMap::new() })
    }

    /// Returns the settings for a file.
    ///
    /// # Errors
    /// A pgq.toml cannot be read.
    pub fn of(&mut self, file: &Path) -> Result<Rc<Config>> {
        if let Some(fixed) = &self.fixed {
            return Ok(Rc::clone(fixed));
        }
        let file = std::path::absolute(file)?;
        let folder = file.parent().unwrap_or(Path::new("/"));
        if let Some(known) = self.of_folders.get(folder) {
            return Ok(Rc::clone(known));
        }
        let found = folder.ancestors().map(|folder| folder.join(NAME)).find(|file| file.symlink_metadata().is_ok());
        if let Some(other) = found.as_ref().filter(|file| !file.is_file()) {
            bail!("{}: is not a file, but a folder, a pipe or a dangling link", other.display());
        }
        let config = Rc::new(found.map_or_else(|| Ok(default(&self.style)), |file| read(&file, &self.style))?);
        self.of_folders.insert(folder.to_path_buf(), Rc::clone(&config));
        Ok(config)
    }
}

fn default(style: &StyleArgs) -> Config {
    Config { options: style.over(FormatOptions::default()), excluded: Gitignore::empty() }
}

fn read(path: &Path, style: &StyleArgs) -> Result<Config> {
    let read = || -> Result<Config> {
        let mut bytes = Vec::new();
        std::fs::File::open(path)?.take(ignored::MAX_BYTES + 1).read_to_end(&mut bytes)?;
        ensure!(bytes.len() as u64 <= ignored::MAX_BYTES, "is longer than {} bytes", ignored::MAX_BYTES);
        let text = String::from_utf8(bytes)?;
        let on_one_line = |problem: toml_edit::de::Error| {
            let start = problem.span().map_or(0, |span| span.start);
            anyhow!("line {}: {}", 1 + text[..start].matches('\n').count(), problem.message())
        };
        let table = toml_edit::de::from_str::<File>(&text).map_err(on_one_line)?.format;
        let options = style.over(table.over(FormatOptions::default()));
        let path = std::path::absolute(path)?;
        let mut excluded = GitignoreBuilder::new(path.parent().unwrap_or(Path::new("/")));
        for pattern in &table.exclude {
            ignored::add(&mut excluded, pattern)?;
        }
        Ok(Config { options, excluded: excluded.build()? })
    };
    read().with_context(|| path_name(path))
}
