//! What a replaced file keeps beside its bytes: owner, group, extended attributes (with them access lists), mode.

use std::fs::{File, Metadata};
use std::io;
use std::path::Path;

/// Gives `temp` what the file at `real`, with metadata `before`, has. False where owner or group cannot be kept: then the
/// file must be written in place, as another user's file would silently become ours.
#[cfg(unix)]
pub(super) fn copy(real: &Path, before: &Metadata, temp: &File) -> io::Result<bool> {
    use std::os::unix::fs::{MetadataExt, fchown};
    let made = temp.metadata()?;
    let differs = |new, old| (new != old).then_some(old);
    let (owner, group) = (differs(made.uid(), before.uid()), differs(made.gid(), before.gid()));
    if (owner.is_some() || group.is_some()) && fchown(temp, owner, group).is_err() {
        return Ok(false);
    }
    copy_xattrs(real, temp)?;
    // Last: a change of owner clears set-id bits, and an access list changes the bits of the group.
    temp.set_permissions(before.permissions())?;
    Ok(true)
}

#[cfg(not(unix))]
pub(super) fn copy(_real: &Path, before: &Metadata, temp: &File) -> io::Result<bool> {
    temp.set_permissions(before.permissions())?;
    Ok(true)
}

/// Copies as many as can be copied: a file system without attributes, or one that the system guards, is no failure.
#[cfg(unix)]
fn copy_xattrs(real: &Path, temp: &File) -> io::Result<()> {
    use rustix::io::Errno;
    use xattr::FileExt;
    let may_fail = |error: &io::Error| {
        let soft = [Errno::NOTSUP, Errno::OPNOTSUPP, Errno::PERM, Errno::ACCESS, Errno::INVAL];
        soft.iter().any(|errno| error.raw_os_error() == Some(errno.raw_os_error()))
    };
    let names = match xattr::list(real) {
        Ok(names) => names,
        Err(error) if may_fail(&error) => return Ok(()),
        Err(error) => return Err(error),
    };
    // A folder can hand attributes down (a default access list) that the old file has not.
    let inherited = temp.list_xattr().into_iter().flatten().filter(|name| !names.clone().any(|kept| kept == *name));
    inherited.for_each(|name| drop(temp.remove_xattr(name)));
    for name in names {
        // An attribute that vanished since the list was read is none.
        let Ok(Some(value)) = xattr::get(real, &name) else { continue };
        match temp.set_xattr(&name, &value) {
            Err(error) if !may_fail(&error) => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

/// The number of names that the file has.
#[cfg(unix)]
pub(super) fn link_count(meta: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(meta)
}

#[cfg(not(unix))]
pub(super) fn link_count(_meta: &Metadata) -> u64 {
    1
}

/// What tells whether a file was written or replaced, without reading it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stamp(#[cfg(unix)] [i64; 7], #[cfg(not(unix))] (u64, Option<std::time::SystemTime>));

impl Stamp {
    /// The stamp of the file behind all links at `path`; `None` where nothing stands there.
    pub fn of(path: &Path) -> Option<Self> {
        std::fs::metadata(path).ok().as_ref().map(stamp)
    }
}

/// The stamp of a file with metadata `meta`.
#[cfg(unix)]
pub(super) fn stamp(meta: &Metadata) -> Stamp {
    use std::os::unix::fs::MetadataExt;
    // Only compared, so that a number which does not fit may wrap.
    let (dev, ino, size) = (meta.dev() as i64, meta.ino() as i64, meta.size() as i64);
    Stamp([dev, ino, size, meta.mtime(), meta.mtime_nsec(), meta.ctime(), meta.ctime_nsec()])
}

/// The stamp of a file with metadata `meta`.
#[cfg(not(unix))]
pub(super) fn stamp(meta: &Metadata) -> Stamp {
    Stamp((meta.len(), meta.modified().ok()))
}
