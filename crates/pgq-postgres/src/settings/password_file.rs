//! The password file (`~/.pgpass`), with lines `host:port:database:user:password`. As in libpq, the first matching line
//! applies.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::settings::Password;
use crate::settings::file::read_file;

/// The result of a password-file lookup.
#[derive(Debug, PartialEq, Eq)]
pub enum Lookup {
    /// The password.
    Found(Password),
    /// No password. The file is missing, it has no matching line, or its first matching line has an empty password.
    None,
    /// The file was ignored for this reason.
    Refused(String),
}

/// Looks up the password of a connection. As in libpq, ignores a file that is not a regular file or that other users
/// can read.
pub fn look_up(path: &Path, host: &str, port: u16, database: &str, user: &str) -> Lookup {
    let metadata = match std::fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(_) => return Lookup::None,
    };
    if !metadata.is_file() {
        return Lookup::Refused(format!("the password file {} is not a file", path.display()));
    }
    if metadata.permissions().mode() & 0o077 != 0 {
        let path = path.display();
        return Lookup::Refused(format!("the password file {path} is not used: others can read it (chmod 0600)"));
    }
    let bytes = match read_file(path) {
        Ok(bytes) => bytes,
        Err(error) => return Lookup::Refused(format!("the password file {}: {error}", path.display())),
    };
    let text = String::from_utf8_lossy(&bytes);
    let wanted = [host, &port.to_string(), database, user];
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let fields = fields(line.trim_end_matches('\r'));
        let Some((password, patterns)) = fields.get(..5).and_then(<[_]>::split_last) else { continue };
        if patterns.iter().zip(wanted).all(|((pattern, any), wanted)| *any || pattern == wanted) {
            // Only the first matching line applies, even if its password is empty. A later line, such as
            // `*:*:*:*:secret`, may contain the password of another server.
            return if password.0.is_empty() { Lookup::None } else { Lookup::Found(Password::new(&*password.0)) };
        }
    }
    Lookup::None
}

/// Splits a line at each `:` that no backslash escapes. Returns each field without its escapes, and whether the field
/// is a bare `*`. As in libpq, the password also ends at a `:`, so a comment may follow.
fn fields(line: &str) -> Vec<(String, bool)> {
    let mut fields = vec![(String::new(), false)];
    let mut chars = line.chars();
    while let Some(char) = chars.next() {
        match char {
            ':' => fields.push((String::new(), false)),
            char => {
                let (field, any) = fields.last_mut().expect("there is always one");
                *any = char == '*' && field.is_empty();
                field.push(if char == '\\' { chars.next().unwrap_or('\\') } else { char });
            }
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str, mode: u32) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        std::fs::set_permissions(file.path(), std::fs::Permissions::from_mode(mode)).unwrap();
        file
    }

    fn found(text: &str) -> Lookup {
        look_up(file(text, 0o600).path(), "::1", 5432, "d*", "u")
    }

    #[test]
    fn the_first_line_that_fits_counts() {
        let password = |text| Lookup::Found(Password::new(text));
        assert_eq!(
            found("# *:*:*:*:no\nother:*:*:*:no\n\\:\\:1:5432:d\\*:u:a\\:b\\\\c\n*:*:*:*:no"),
            password("a:b\\c")
        );
        assert_eq!(found("*:*:*:*:any:comment"), password("any"));
        assert_eq!(found("*:*:*:*:any\\"), password("any\\"));
        assert_eq!(found("*:*:*:*:any\r\n"), password("any"));
        assert_eq!(found("**:*:*:*:no"), Lookup::None);
        assert_eq!(found("\\*:*:*:*:no"), Lookup::None);
        assert_eq!(found("*:*:*:*:"), Lookup::None);
        assert_eq!(found("*:*:*:u:\n*:*:*:*:other"), Lookup::None);
        assert_eq!(found("*:*:*:u:\\\n*:*:*:*:other"), password("\\"));
        assert_eq!(found("*:*:*"), Lookup::None);
    }

    #[test]
    fn a_file_that_others_can_read_is_not_used() {
        let file = file("*:*:*:*:secret", 0o640);
        let Lookup::Refused(why) = look_up(file.path(), "h", 1, "d", "u") else { panic!() };
        assert!(why.contains("0600") && !why.contains("secret"), "{why}");
        assert_eq!(look_up(Path::new("/does/not/exist"), "h", 1, "d", "u"), Lookup::None);
        assert!(matches!(look_up(Path::new("/"), "h", 1, "d", "u"), Lookup::Refused(_)));
    }
}
