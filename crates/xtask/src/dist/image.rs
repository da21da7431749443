//! Builds a container image with only the static program, for `docker load` and `podman load`.

use anyhow::Result;
use serde_json::json;
use sha2::{Digest, Sha256};

use super::archive::tar;
use super::{Entry, Release, deb};

pub(super) fn image(release: &Release) -> Result<Vec<u8>> {
    let layer = tar(&release.entries, "usr/")?;
    let config = serde_json::to_vec(&json!({
        "architecture": deb::architecture(release)?,
        "os": "linux",
        // The program runs as `nobody`, so mounted files must be readable by all users.
        "config": { "Entrypoint": ["/usr/bin/pgq"], "User": "65534:65534", "WorkingDir": "/work" },
        "rootfs": { "type": "layers", "diff_ids": [format!("sha256:{}", digest(&layer))] },
    }))?;
    let config_name = format!("{}.json", digest(&config));
    let manifest = serde_json::to_vec(&json!([{
        "Config": config_name,
        "RepoTags": [format!("{}:{}", release.package, release.version)],
        "Layers": ["layer.tar"],
    }]))?;
    let file = |path: &str, data| Entry { path: path.into(), data, executable: false };
    tar(&[file("layer.tar", layer), file(&config_name, config), file("manifest.json", manifest)], "")
}

fn digest(data: &[u8]) -> String {
    Sha256::digest(data).iter().map(|byte| format!("{byte:02x}")).collect()
}
