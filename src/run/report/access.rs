//! The owner, the group, the mode and the access control list of a replaced file, and whether the file has changed.

use std::fs::{File, Metadata};
use std::path::Path;

#[cfg(unix)]
use anyhow::Context;
use anyhow::{Result, ensure};

/// Copies the owner, the group, the mode and the access control list of the replaced file, which is at `path`, to the
/// new file. Called after the last write, for two reasons: until then, nobody else can open the new file, and a write
/// clears the setuid and setgid bits.
#[cfg_attr(not(target_os = "linux"), allow(unused_variables))] // only Linux has the lists
pub fn keep_access(file: &File, existing: &Metadata, path: &Path) -> Result<()> {
    #[cfg(unix)]
    keep_owner(file, existing)?;
    // Before the mode, whose rights of the group would also apply to the list that the new file got from its folder.
    #[cfg(target_os = "linux")]
    keep_acl(file, path)?;
    if file.metadata()?.permissions() != existing.permissions() {
        file.set_permissions(existing.permissions())?;
        ensure!(file.metadata()?.permissions() == existing.permissions(), "its mode cannot be kept");
    }
    Ok(())
}

/// Copies the access control list of the file at `path`. If that file has none, removes the list that the new file got
/// from its folder.
#[cfg(target_os = "linux")]
fn keep_acl(file: &File, path: &Path) -> Result<()> {
    use rustix::fs::{XattrFlags, fremovexattr, fsetxattr, getxattr};
    use rustix::io::Errno;
    const ACL: &str = "system.posix_acl_access";
    let mut acl = vec![0; 64 << 10]; // the maximum size of an attribute
    let kept = match getxattr(path, ACL, &mut acl[..]) {
        Ok(len) => fsetxattr(file, ACL, &acl[..len], XattrFlags::empty()),
        Err(Errno::NODATA) => fremovexattr(file, ACL),
        // There is no file yet, or its file system has no lists.
        Err(Errno::NOENT | Errno::OPNOTSUPP) => return Ok(()),
        Err(error) => Err(error),
    };
    match kept {
        Err(Errno::NODATA) => Ok(()),
        kept => kept.context("its access control list cannot be kept"),
    }
}

/// Copies the owner and the group. Also called before the content is written, so that a run that cannot keep them ends
/// at once.
#[cfg(unix)]
pub fn keep_owner(file: &File, existing: &Metadata) -> Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};
    let own = file.metadata()?;
    if (own.uid(), own.gid()) != (existing.uid(), existing.gid()) {
        fchown(file, Some(existing.uid()), Some(existing.gid())).context("its owner and group cannot be kept")?;
    }
    Ok(())
}

/// Whether `now` and `before` describe the same file with the same content.
pub fn is_same(now: &Metadata, before: &Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        // Every change of the file changes ctime (the time of the inode's last change). Programs cannot set ctime.
        let identity = |file: &Metadata| (file.dev(), file.ino(), file.ctime(), file.ctime_nsec());
        if identity(now) != identity(before) {
            return false;
        }
    }
    now.len() == before.len() && now.modified().ok() == before.modified().ok()
}
