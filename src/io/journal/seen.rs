//! Whether the journal was written since someone looked, at the price of a `stat` and a read of four bytes: nothing comes in but where it
//! lies, and what goes out is only compared.
//!
//! The times of a file are as coarse as the ticks of the system, and two commands fit into one tick. So the counter that SQLite raises
//! with every change is looked at, too (the database file format, 1.3: bytes 24 to 27).

use super::super::{Stamp, State};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

/// The journal as it was when someone looked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seen {
    stamp: Stamp,
    changes: [u8; 4],
}

impl Seen {
    /// The journal as it is; `None` where there is none. What is read from it afterwards is at least as new.
    pub fn now(state: &State) -> Option<Self> {
        let path = state.for_read()?.join("journal.db");
        let stamp = Stamp::of(&path)?;
        let mut changes = [0; 4];
        let mut file = File::open(&path).ok()?;
        // One that was made and not filled yet has no counter.
        let read = file.seek(SeekFrom::Start(24)).and_then(|_| file.read_exact(&mut changes));
        Some(Self { stamp, changes: if read.is_ok() { changes } else { [0; 4] } })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::Journal;

    #[test]
    fn each_write_is_seen_and_no_read_is() {
        let folder = tempfile::tempdir().expect("temp");
        let state = State::at(folder.path());
        assert_eq!(Seen::now(&state), None);
        let mut journal = Journal::open(&state).expect("made");
        let path = journal.path().to_owned();
        let times = std::fs::metadata(&path).and_then(|meta| meta.modified()).expect("there");
        let mut last = Seen::now(&state);
        for number in 0..20 {
            journal.set_accepted(&[("/a".into(), format!("{number:02}"))], number).expect("noted");
            // As if no tick had passed.
            let file = File::options().write(true).open(&path).expect("there");
            file.set_modified(times).expect("set");
            let seen = Seen::now(&state);
            assert_ne!(seen.as_ref().map(|seen| seen.changes), last.as_ref().map(|seen| seen.changes));
            let reader = Journal::open_for_read(&state).expect("read").expect("there");
            assert_eq!(reader.accepted("/a").expect("read"), Some(format!("{number:02}")));
            assert_eq!(Seen::now(&state), seen);
            last = seen;
        }
    }
}
