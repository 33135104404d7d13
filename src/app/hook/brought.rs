//! What a merge brings in is in no `HEAD` yet: a resolution could drop it, and nobody would see. So a merge is compared
//! with its other sides as well, for what they have and the common ancestor has not.

use crate::app::bases::FileBase;
use crate::app::{Options, Session, Target};
use crate::baseline::{Accepted, Declared};
use crate::check::{Change, check};
use crate::facts::is_secret;
use crate::io::IoError;
use crate::io::git::{Base, Repository};
use crate::syntax::{Reading, parse};
use crate::text::fold_blanks;
use rustc_hash::FxHashSet;
use std::sync::Arc;

impl Session {
    /// What commit `head` brought to the file since the common ancestor, and the text to be committed lacks. What `HEAD` said
    /// since then was meant is not missed.
    pub(super) fn lost_of_merge(
        &self,
        target: &Target,
        repository: &Arc<Repository>,
        head: &str,
        options: &Options,
    ) -> Result<Vec<Change>, IoError> {
        let paths = [target.real.clone()];
        let Some(theirs) = repository.blobs(head, &paths)?.into_iter().next().and_then(Base::into_text) else { return Ok(Vec::new()) };
        if *theirs == *target.text {
            return Ok(Vec::new());
        }
        let ancestor = match repository.merge_base(head) {
            Ok(commit) => repository.blobs(&commit, &paths)?.into_iter().next().and_then(Base::into_text),
            Err(IoError::NoMergeBase { .. }) => None,
            Err(error) => return Err(error),
        };
        let ancestor = ancestor.unwrap_or_default();
        if ancestor == theirs {
            return Ok(Vec::new());
        }
        let trailers = repository.accepts(head, "HEAD")?.into_iter().map(|(_, key)| (key, u32::MAX)).collect();
        let accepted = Accepted { declared: self.declared(&target.real)?, trailers };
        let base = FileBase {
            label: Some(head.to_owned()),
            revisions: vec![(None, theirs.clone())],
            accepted,
            repository: Some(repository.clone()),
            ..FileBase::default()
        };
        let changes = self.with_subject(target, &base, options, &[], |subject| check(&target.text, subject)).changes;
        let common = own_texts(target, &ancestor, &theirs);
        Ok(changes.into_iter().filter(|change| !common.contains(&change.old)).collect())
    }
}

/// The own texts of the records of `text`, as a change has them; what `like` manages counts as managed in it.
fn own_texts(target: &Target, text: &str, like: &str) -> FxHashSet<String> {
    let own = Reading { config: &target.found.config, whole_file: target.whole_file, also: None };
    let managed = parse(like, own).managed();
    let document = parse(text, Reading { also: Some(&managed), ..own });
    let own = document.records.iter().map(|record| Declared::text_of(&fold_blanks(record.head.of(text)), is_secret(record.value.of(text))));
    own.collect()
}
