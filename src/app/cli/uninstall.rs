//! `uninstall`: all that memfile installed here is taken out again; memory files and the journal stay.

use super::{CLEAN, Ended, FOUND, say};
use crate::app::Session;
use crate::app::installations::INSTALLATIONS;
use crate::report::visible;

/// `memfile uninstall`
pub(super) fn run(session: &Session) -> Ended {
    let mut nothing = true;
    let mut code = CLEAN;
    for installation in INSTALLATIONS {
        match (installation.remove)(session) {
            Ok(lines) => {
                nothing &= lines.is_empty();
                lines.iter().for_each(|line| say(&format!("{}: {}", installation.name, visible(line))));
            }
            Err(error) => {
                nothing = false;
                code = FOUND;
                say(&format!("memfile: {}: {}", installation.name, visible(&error)));
            }
        }
    }
    if nothing {
        say("nothing to take out: memfile has installed nothing here");
    }
    if let Some(folder) = session.state.for_read() {
        say(&format!("memory files are as they were; the journal stays in {} (delete that folder if you want it gone)", folder.display()));
    }
    Ok(code)
}
