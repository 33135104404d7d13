//! `merge`, as git calls it.

use super::args::merge::MergeArgs;
use super::{CLEAN, Ended, FOUND, say};
use crate::app::{Joined, Merging, Session};
use crate::io::clock;
use crate::merge::Conflict;
use crate::report::visible;
use crate::text::count;

/// git's own length of conflict markers.
const MARKER: usize = 7;

/// `memfile merge BASE OURS THEIRS`: 0 where all is merged, 1 where conflicts are left in OURS. Any failure (2) leaves OURS as it is,
/// and git takes it for a conflict.
pub(super) fn merge(session: &Session, args: MergeArgs) -> Ended {
    let today = clock::today(args.today).map_err(|error| error.to_string())?;
    // A git that does not know a placeholder hands it on as it stands; one that has nothing to say, an empty word.
    let given = |word: Option<String>| word.filter(|word| !word.is_empty() && !is_placeholder(word));
    let size = given(args.marker_size.or(args.size)).and_then(|size| size.parse().ok());
    let path = args.path.or(args.file).filter(|path| !is_placeholder(&path.to_string_lossy()));
    let merging = Merging {
        base: args.base,
        ours: args.ours,
        theirs: args.theirs,
        path: path.filter(|path| !path.as_os_str().is_empty()),
        marker_size: size.filter(|size| (1..=1000).contains(size)).unwrap_or(MARKER),
        labels: [given(args.base_label), given(args.ours_label), given(args.theirs_label)],
        today,
    };
    let failed = |error| format!("{error}; nothing was merged, and our side stands in the file as it was");
    let Joined { name, merged } = session.merge(&merging).map_err(failed)?;
    if let Some(why) = &merged.by_lines {
        say(&format!("memfile: {}: merged line by line, not by records: {}; look at the result", visible(&name), visible(why)));
    }
    let mut facts: Vec<String> = Vec::new();
    for conflict in &merged.conflicts {
        if let Conflict::Fact(name) = conflict {
            facts.push(format!("`{}`", visible(name)));
        }
    }
    let others = merged.conflicts.len() - facts.len();
    if !facts.is_empty() {
        let facts = facts.join(", ");
        say(&format!(
            "memfile: {}: both sides changed {facts}, and no date tells which is newer: keep what holds, or both with dates, then run \
             `memfile fix`",
            visible(&name)
        ));
    }
    if others > 0 {
        say(&format!("memfile: {}: {} in other text", visible(&name), count(others, "conflict")));
    }
    Ok(if merged.is_clean() { CLEAN } else { FOUND })
}

/// `%X` and the like.
fn is_placeholder(word: &str) -> bool {
    word.strip_prefix('%').is_some_and(|letter| letter.len() == 1)
}
