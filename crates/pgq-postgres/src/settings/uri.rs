//! Connection URIs: `postgresql://user:password@host:port,host:port/dbname?option=value`.

use crate::settings::SettingsError;
use crate::settings::options::{Options, set};

/// Parses a URI without the prefix `postgresql://`.
pub fn parse(rest: &str) -> Result<Options, SettingsError> {
    let mut options = Options::new();
    let (rest, query) = rest.split_once('?').map_or((rest, None), |(rest, query)| (rest, Some(query)));
    let (authority, database) = rest.split_once('/').map_or((rest, None), |(rest, name)| (rest, Some(name)));
    let hosts = match authority.split_once('@') {
        Some((credentials, hosts)) => {
            let (user, password) = credentials.split_once(':').map_or((credentials, None), |(u, p)| (u, Some(p)));
            if !user.is_empty() {
                options.insert("user", decode(user)?);
            }
            if let Some(password) = password.filter(|password| !password.is_empty()) {
                options.insert("password", decode(password)?);
            }
            hosts
        }
        None => authority,
    };
    parse_hosts(hosts, &mut options)?;
    if let Some(database) = database.filter(|name| !name.is_empty()) {
        options.insert("dbname", decode(database)?);
    }
    for pair in query.into_iter().flat_map(|query| query.split('&')) {
        let (name, value) = pair.split_once('=').ok_or(SettingsError::Uri("an option without \"=\""))?;
        let (name, value) = (decode(name)?, decode(value)?);
        match (name.as_str(), value.as_str()) {
            // JDBC's option for `sslmode=require`.
            ("ssl", "true") => set(&mut options, "sslmode", "require".into())?,
            _ => set(&mut options, &name, value)?,
        }
    }
    Ok(options)
}

/// Parses `host:port,host:port` into a list of hosts and an equally long list of ports. An empty list sets no option.
fn parse_hosts(text: &str, options: &mut Options) -> Result<(), SettingsError> {
    let (mut hosts, mut ports) = (Vec::new(), Vec::new());
    for item in text.split(',') {
        let (host, port) = match item.strip_prefix('[') {
            Some(rest) => {
                let (host, rest) = rest.split_once(']').ok_or(SettingsError::Uri("a \"[\" without \"]\""))?;
                let port = if rest.is_empty() { Some("") } else { rest.strip_prefix(':') };
                (host, port.ok_or(SettingsError::Uri("something between \"]\" and \":\""))?)
            }
            None => item.split_once(':').unwrap_or((item, "")),
        };
        if host.contains('@') {
            return Err(SettingsError::Uri("a host with \"@\": in a user name or a password it is written %40"));
        }
        if port.contains(':') {
            return Err(SettingsError::Uri("more than one \":\" after a host; IPv6 addresses must be between [ and ]"));
        }
        hosts.push(decode(host)?);
        ports.push(decode(port)?);
    }
    for (name, list) in [("host", hosts), ("port", ports)] {
        if list.iter().any(|item| !item.is_empty()) {
            options.insert(name, list.join(","));
        }
    }
    Ok(())
}

/// Decodes percent escapes such as `%2F`.
fn decode(text: &str) -> Result<String, SettingsError> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let digits = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let digits = digits.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match byte {
            Some(byte) if byte != 0 => bytes.push(byte),
            _ => return Err(SettingsError::Uri("\"%\" that is not followed by two hexadecimal digits, or by %00")),
        }
        rest = &after[2..];
    }
    String::from_utf8(bytes).map_err(|_| SettingsError::Uri("escaped bytes that are not UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> String {
        let pairs: Vec<_> = parse(text).unwrap().into_iter().map(|(name, value)| format!("{name}={value}")).collect();
        pairs.join(" ")
    }

    #[test]
    fn uris_are_read_as_libpq_reads_them() {
        assert_eq!(parts(""), "");
        assert_eq!(parts("localhost"), "host=localhost");
        assert_eq!(
            parts("u:p%40ss@h:5433/d?sslmode=disable"),
            "dbname=d host=h password=p@ss port=5433 sslmode=disable user=u"
        );
        assert_eq!(parts("a:1,b,[::1]:3/d"), "dbname=d host=a,b,::1 port=1,,3");
        assert_eq!(parts("%2Ftmp/d"), "dbname=d host=/tmp");
        assert_eq!(parts("/d?host=/tmp&ssl=true"), "dbname=d host=/tmp sslmode=require");
    }

    #[test]
    fn mistakes_repeat_nothing_of_the_text() {
        for text in ["u:se@cret@h/d", "h?secret", "[::1", "h:1:2", "u:%zz@h", "u:%00@h", "u:%+1@h", "u:%ff@h", "[::1]x"]
        {
            let error = parse(text).unwrap_err();
            assert!(matches!(error, SettingsError::Uri(_)), "{text}: {error}");
        }
    }
}
