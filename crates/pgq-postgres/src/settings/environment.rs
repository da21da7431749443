//! The environment of the process: variables, user, home folder, and service files.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::settings::SettingsError;
use crate::settings::file::read_file;
use crate::settings::options::{OPTIONS, Options, set};

/// Environment variables for settings of the server.
const SERVER_VARIABLES: [(&str, &str); 3] = [("PGDATESTYLE", "datestyle"), ("PGTZ", "timezone"), ("PGGEQO", "geqo")];

/// The parts of the process environment from which missing settings are taken.
#[derive(Debug, Clone, Default)]
pub struct Environment {
    /// Values of libpq's environment variables, such as `PGHOST`, by name.
    pub variables: HashMap<String, String>,
    /// The home folder, for `~/.pgpass`, `~/.pg_service.conf` and `~/.postgresql`.
    pub home: Option<PathBuf>,
    /// The operating-system user.
    pub user: Option<String>,
    /// The folder of the server's Unix socket, for settings without a host.
    pub socket_folder: PathBuf,
}

impl Environment {
    /// Returns the environment of this process. The socket folder is `/var/run/postgresql` if this folder exists, as in
    /// the libpq of Debian and Red Hat. If not, the socket folder is `/tmp`.
    pub fn of_process() -> Self {
        let user = nix::unistd::User::from_uid(nix::unistd::geteuid()).ok().flatten();
        let variable = |(name, _): &(&str, &str)| std::env::var(name).ok().map(|value| (name.to_string(), value));
        let names = OPTIONS.map(|(option, variable)| (variable, option));
        let sysconfdir = [("PGSYSCONFDIR", "")];
        let names = names.iter().chain(&SERVER_VARIABLES).chain(&sysconfdir).filter(|(name, _)| !name.is_empty());
        let debian = PathBuf::from("/var/run/postgresql");
        Self {
            variables: names.filter_map(variable).collect(),
            home: std::env::var_os("HOME").map(PathBuf::from).or_else(|| user.as_ref().map(|user| user.dir.clone())),
            user: user.map(|user| user.name),
            socket_folder: if debian.is_dir() { debian } else { PathBuf::from("/tmp") },
        }
    }

    /// Returns the path of a file in the home folder.
    pub fn home_file(&self, name: &str) -> Option<PathBuf> {
        self.home.as_ref().map(|home| home.join(name))
    }

    /// Adds missing options from the service file, then from environment variables.
    pub fn complete(&self, options: &mut Options) -> Result<(), SettingsError> {
        let own = |name: &str, variable: &str| {
            options.get(name).or_else(|| self.variables.get(variable)).filter(|value| !value.is_empty()).cloned()
        };
        if let Some(service) = own("service", "PGSERVICE") {
            let given = own("servicefile", "PGSERVICEFILE").map(PathBuf::from);
            for (name, value) in self.service(&service, given)? {
                options.entry(name).or_insert(value);
            }
        }
        for (name, variable) in OPTIONS.iter().filter(|(_, variable)| !variable.is_empty()) {
            if let Some(value) = self.variables.get(*variable) {
                options.entry(name).or_insert_with(|| value.clone());
            }
        }
        Ok(())
    }

    /// Returns the server settings in environment variables.
    pub fn server_settings(&self) -> Vec<(String, String)> {
        let value = |(variable, name): (&str, &str)| {
            self.variables.get(variable).map(|value| (name.to_string(), value.clone()))
        };
        SERVER_VARIABLES.into_iter().filter_map(value).collect()
    }

    fn service(&self, name: &str, given: Option<PathBuf>) -> Result<Options, SettingsError> {
        let must_exist = given.is_some();
        let first = given.or_else(|| self.home_file(".pg_service.conf"));
        let system = self.variables.get("PGSYSCONFDIR").map_or("/etc/postgresql-common", String::as_str);
        let second = Path::new(system).join("pg_service.conf");
        for (path, must_exist) in first.map(|path| (path, must_exist)).into_iter().chain([(second, false)]) {
            let text = match read_file(&path) {
                Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
                Err(error) if !must_exist && error.kind() == std::io::ErrorKind::NotFound => continue,
                Err(error) => return Err(SettingsError::File { path, message: error.to_string() }),
            };
            if let Some(options) = parse_services(&text, name, &path)? {
                return Ok(options);
            }
        }
        Err(SettingsError::UnknownService(name.to_string()))
    }
}

/// Returns the options of the service `wanted`, or `None` if the file lacks the service.
fn parse_services(text: &str, wanted: &str, path: &Path) -> Result<Option<Options>, SettingsError> {
    let wrong = |line: usize, message: &str| SettingsError::ServiceLine {
        path: path.to_path_buf(),
        line: line + 1,
        message: message.to_string(),
    };
    let mut options: Option<Options> = None;
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(name) = line.strip_prefix('[') {
            if options.is_some() {
                break;
            }
            options = name.strip_suffix(']').filter(|name| *name == wanted).map(|_| Options::new());
            continue;
        }
        let Some(options) = &mut options else { continue };
        if line.starts_with("ldap") {
            return Err(wrong(number, "services in LDAP are not supported"));
        }
        let (name, value) =
            line.split_once('=').ok_or_else(|| wrong(number, "neither the name of a service nor an option"))?;
        if matches!(name.trim(), "service" | "servicefile") {
            return Err(wrong(number, "a service cannot refer to another service"));
        }
        // As in libpq, the first value of an option applies.
        let mut given = Options::new();
        set(&mut given, name.trim(), value.trim().to_string()).map_err(|error| wrong(number, &error.to_string()))?;
        given.into_iter().for_each(|(name, value)| _ = options.entry(name).or_insert(value));
    }
    Ok(options)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SERVICES: &str = "# comment\n[a]\nhost=one\n\n[b]\nhost = two\nport=5433\n[c]\nhots=x\n";

    #[test]
    fn a_service_is_found_by_its_name() {
        let read = |name| parse_services(SERVICES, name, Path::new("f"));
        let options = read("b").unwrap().unwrap();
        assert_eq!((options["host"].as_str(), options["port"].as_str()), ("two", "5433"));
        assert_eq!(read("d").unwrap(), None);
        let twice = parse_services("[a]\nhost=old\nhost=new", "a", Path::new("f")).unwrap().unwrap();
        assert_eq!(twice["host"], "old", "as in libpq");
        assert_eq!(read("c").unwrap_err().to_string(), "f:9: no connection option is called \"hots\"");
    }

    #[test]
    fn options_come_before_the_service_and_that_before_variables() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(".pg_service.conf"), SERVICES).unwrap();
        let variables = [("PGHOST", "env"), ("PGPORT", "1"), ("PGUSER", "u"), ("PGTZ", "UTC")];
        let variables = variables.map(|(name, value)| (name.to_string(), value.to_string())).into();
        let environment = Environment { variables, home: Some(folder.path().into()), ..Environment::default() };
        let mut options = Options::from([("service", "b".to_string()), ("port", "7".to_string())]);
        environment.complete(&mut options).unwrap();
        let values = ["host", "port", "user"].map(|name| options[name].as_str());
        assert_eq!(values, ["two", "7", "u"]);
        assert_eq!(environment.server_settings(), [("timezone".to_string(), "UTC".to_string())]);
        let mut options = Options::from([("service", "none".to_string())]);
        assert!(matches!(environment.complete(&mut options), Err(SettingsError::UnknownService(_))));
    }
}
