//! Whether a server is the one that wrote a log, where that can be known: its log lies in a folder of the server's.

use std::path::{Path, PathBuf};

use pgq_postgres::{Client, QueryAnswer, Settings};

/// The file among `logs` that this server writes, or has written. `None` also where the server does not tell its
/// folders (only some users may know them), cannot be reached with these settings, or is another machine's.
pub fn own_log<'a>(server: &Settings, logs: &'a [PathBuf]) -> Option<&'a Path> {
    let mut client = Client::connect(server).ok()?;
    let mut folders = Vec::new();
    client
        .query("SHOW data_directory; SHOW log_directory", |answer| {
            if let QueryAnswer::Row(row) = answer {
                let value = row.values().ok().and_then(|values| values.first().copied().flatten());
                folders.extend(value.map(|value| PathBuf::from(String::from_utf8_lossy(value).as_ref())));
            }
        })
        .ok()?;
    client.close();
    let [data, log] = &folders[..] else { return None };
    // A relative folder of logs is one of the data's.
    let folders = [data.clone(), data.join(log)].map(|folder| folder.canonicalize().ok());
    let lies_there = |log: &&PathBuf| {
        let log = log.canonicalize().ok();
        folders.iter().flatten().any(|folder| log.as_ref().is_some_and(|log| log.starts_with(folder)))
    };
    logs.iter().find(lies_there).map(PathBuf::as_path)
}
