//! `forget`: a value goes from the file, its archive, the journal and what is kept beside it; what git holds is only said.

use super::session::Session;
use super::target::Target;
use super::writing::Unwritten;
use crate::check::Selection;
use crate::command::{Erasure, Plan, Which, forget};
use crate::conserve;
use crate::io::git::{Base, Parents};
use crate::io::journal::{Journal, Kept, StepFile, file_key};
use crate::io::state::name_of;
use crate::io::{self, IoError, Lock, clock};
use chrono::NaiveDate;
use std::path::{Path, PathBuf};

/// What `forget` did, and where a copy is left.
#[derive(Debug)]
pub struct Forgotten {
    /// The file's name for people.
    pub name: String,
    /// What was done; without the value.
    pub said: String,
    /// How many commits of the file hold it.
    pub commits: usize,
    /// The index holds it.
    pub staged: bool,
    /// Other memory files of the repository that hold it.
    pub others: Vec<String>,
}

impl Session {
    /// Erases what `which` names in the file at `path`.
    ///
    /// # Errors
    /// [`Unwritten`].
    pub fn forget(&self, path: &Path, today: NaiveDate, which: Which) -> Result<Forgotten, Unwritten> {
        let mut target = Target::load(self, path, false, &Selection::default())?;
        let lock = Lock::acquire(&self.state, &target.real)?;
        let now = lock.read()?;
        if now != target.text {
            target = Target::new(self, path, target.real.clone(), now, false, &Selection::default())?;
        }
        let (plan, mut erasure) = self.in_world(&target, today, &|world| forget(&target.text, world, which))?;
        self.learn(&target, &mut erasure)?;
        let after = plan.after.as_deref().unwrap_or(&target.text);
        self.unharmed(&target, after, &erasure, &plan)?;
        lock.save(&target.text, after)?;
        self.erase_archive(&target, &erasure)?;
        self.erase_journal(&target, today, &erasure)?;
        self.erase_caches(&target.real);
        let (commits, staged) = self.held_by_git(&target, &erasure)?;
        let others = self.held_by_others(&target, &erasure);
        Ok(Forgotten { name: target.name, said: plan.said, commits, staged, others })
    }

    /// Values that the fact had before: only archive and journal know them.
    fn learn(&self, target: &Target, erasure: &mut Erasure) -> Result<(), IoError> {
        let config = &target.found.config;
        if let Ok(archive) = io::load(&archive_of(&target.real)) {
            erasure.learn(&archive.text, config, true);
        }
        let Some(journal) = Journal::open_for_read(&self.state)? else { return Ok(()) };
        let file = file_key(&target.real);
        let steps = journal.steps(&file)?;
        let parts = steps.iter().flat_map(|step| &step.files).filter(|part| part.file == file);
        let texts = parts.flat_map(|part| [&part.old, &part.new]).flatten().cloned().chain(journal.accepted(&file)?);
        texts.for_each(|text| erasure.learn(&text, config, target.whole_file));
        Ok(())
    }

    /// Other facts have the records they had, but for the value.
    fn unharmed(&self, target: &Target, after: &str, erasure: &Erasure, plan: &Plan) -> Result<(), Unwritten> {
        let words = |text: &str| erasure.erase_words(text).unwrap_or_else(|| text.to_owned());
        let (config, whole_file) = (&target.found.config, target.whole_file);
        conserve::others(&words(&target.text), &words(after), config, whole_file, &plan.touched).map_err(Unwritten::Loss)
    }

    fn erase_archive(&self, target: &Target, erasure: &Erasure) -> Result<(), IoError> {
        let path = archive_of(&target.real);
        if !path.is_file() {
            return Ok(());
        }
        let lock = Lock::acquire(&self.state, &path)?;
        let text = lock.read()?;
        match erasure.erase(&text, &target.found.config, true, None) {
            Some(after) => lock.save(&text, &after),
            None => Ok(()),
        }
    }

    fn erase_journal(&self, target: &Target, today: NaiveDate, erasure: &Erasure) -> Result<(), IoError> {
        let mut journal = Journal::open(&self.state)?;
        let config = &target.found.config;
        let file = file_key(&target.real);
        // Each text is erased by the rule for its kind, and then of words that only a command line or a record can hold.
        journal.rewrite(&file, &|kept, text| match kept {
            Kept::File => erasure.erase(text, config, target.whole_file, Some(today)),
            Kept::Record | Kept::Command => erasure.erase_words(text),
        })?;
        let archive = file_key(&archive_of(&target.real));
        journal.rewrite(&archive, &|kept, text| match kept {
            Kept::File => erasure.erase(text, config, true, None),
            Kept::Record | Kept::Command => erasure.erase_words(text),
        })?;
        let step = StepFile::<String> { file, old: None, new: None };
        journal.add_step(clock::now()?, &super::saving::actor(), &format!("forget {} --yes", erasure.key), &[step]).map(drop)
    }

    /// What other runs kept beside the tree; all of it can be made anew.
    fn erase_caches(&self, real: &Path) {
        let Some(folder) = self.state.for_read() else { return };
        for kind in ["origins", "backups"] {
            // A cache that is not there is what is wanted.
            let _ = std::fs::remove_file(folder.join(kind).join(name_of(real)));
        }
        io::sessions::forget(&self.state, real);
    }

    /// How many commits of the file hold a value, and whether the index does.
    fn held_by_git(&self, target: &Target, erasure: &Erasure) -> Result<(usize, bool), IoError> {
        let Some(repository) = self.repository(&target.real) else { return Ok((0, false)) };
        let mut commits = 0;
        for revision in repository.history(&target.real, Parents::All) {
            commits += usize::from(revision?.text.is_some_and(|text| erasure.is_in(&text)));
        }
        let staged = repository.staged(std::slice::from_ref(&target.real))?;
        let staged = staged.iter().any(|base| matches!(base, Base::Text(text) if erasure.is_in(text)));
        Ok((commits, staged))
    }

    /// Memory files of the repository that have a value which is no common word.
    fn held_by_others(&self, target: &Target, erasure: &Erasure) -> Vec<String> {
        let Some(repository) = self.repository(&target.real) else { return Vec::new() };
        let mut found = Vec::new();
        let (files, _) = self.find(&[repository.root().to_owned()]);
        for file in files {
            if let Ok(loaded) = io::load_found(&file)
                && loaded.real != target.real
                && erasure.erase(&loaded.text, &target.found.config, target.whole_file, Some(NaiveDate::MIN)).is_some()
            {
                found.push(self.name(&file.path));
            }
        }
        found
    }
}

/// The archive of a file: `NAME.history.md` beside it.
pub(super) fn archive_of(real: &Path) -> PathBuf {
    real.with_extension("history.md")
}
