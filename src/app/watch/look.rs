//! A file is due: it is looked at, judged if it must be, and what came out is told once.

use super::act;
use super::meant::Moves;
use super::rounds::hash;
use super::settle::{Decision, Judged, Look, Rest, Seen};
use super::turn::Watch;
use super::{Purpose, Told, Worst};
use crate::app::{Outcome, Session};
use crate::io::IoError;
use std::path::Path;
use std::sync::Arc;

impl Watch<'_> {
    /// Looks at the file with the real path `real`.
    pub(super) fn look(&mut self, real: &Path) {
        // Configurations may have changed since the last time; what the journal declares is read again where it was written since.
        let session = Session::new(self.cwd.clone());
        session.keep_declared(self.files.get_mut(real).and_then(|file| file.declared.take()));
        self.look_with(&session, real);
        if let Some(file) = self.files.get_mut(real) {
            file.declared = session.take_declared();
        }
    }

    fn look_with(&mut self, session: &Session, real: &Path) {
        let repository = session.repository(real);
        let is_busy = repository.as_ref().is_some_and(|repository| repository.is_busy());
        if let Some(repository) = &repository {
            self.gits.add(repository, real);
            self.watch_folder(repository.git_dir());
            if !is_busy && let Err(error) = self.refresh(repository.root()) {
                // Whether git moved the file cannot be told.
                return self.failed(real, &error);
            }
        }
        let standing = repository.as_ref().map(|repository| self.gits.standing(repository.root(), real)).unwrap_or_default();
        let is_new = repository.is_some() && standing.head.is_none();
        let now = self.now();
        let Some(file) = self.files.get_mut(real) else { return };
        let look = match is_busy {
            true => Ok(Look { seen: Seen::Torn, is_busy, standing, is_blob: false, moves: Moves::default() }),
            false => file.look(session, real, standing, self.watching.purpose),
        };
        let look = match look {
            Ok(look) => look,
            Err(error) => return self.failed(real, &error),
        };
        match file.settle.look(now, look) {
            Decision::Rest(why) => self.rests(session, real, why),
            Decision::Judge(text, against) => {
                let (judged, outcome) = act::judge(session, file, real, &text, against, &self.watching);
                match outcome {
                    Ok(outcome) => self.judged(session, real, &text, judged, &outcome, is_new),
                    Err(error) => self.failed(real, &error),
                }
            }
        }
    }

    /// The file is left alone.
    fn rests(&mut self, session: &Session, real: &Path, why: Rest) {
        if !matches!(why, Rest::Busy | Rest::Torn) {
            self.waiting.remove(real);
            self.has_acted |= why != Rest::Missing;
        }
        let Some(file) = self.files.get_mut(real) else { return };
        let said = hash(why.word());
        // What moves a file is told each time, a state that lasts once.
        let is_news = matches!(why, Rest::Git | Rest::Meant) || said != file.told;
        if is_news && !matches!(why, Rest::Unchanged | Rest::Torn) {
            file.told = said;
            let name = session.name(&file.path);
            self.tell(&Told::Rests { name: &name, why });
        }
    }

    /// The file could not be handled; it is tried again, and the others are watched on.
    fn failed(&mut self, real: &Path, error: &IoError) {
        let now = self.now();
        self.waiting.remove(real);
        self.has_acted = true;
        self.worst = Worst::Failed;
        let Some(file) = self.files.get_mut(real) else { return };
        file.settle.judged(now, &Arc::from(""), Judged::Failed);
        let message = error.to_string();
        let said = hash(&message);
        if std::mem::replace(&mut file.told, said) != said {
            self.tell(&Told::Problem { message });
        }
    }

    fn judged(&mut self, session: &Session, real: &Path, text: &Arc<str>, judged: Judged, outcome: &Outcome, is_new: bool) {
        let now = self.now();
        let Some(file) = self.files.get_mut(real) else { return };
        let has_changed = judged == Judged::Changed;
        file.settle.judged(now, text, judged);
        if has_changed {
            return;
        }
        // What is found, without its place: a finding that only moved is no news.
        let found: Vec<(&str, &str)> = outcome.diagnostics.iter().map(|found| (found.rule.name, found.message.as_str())).collect();
        let said = hash(&(outcome.failure.as_ref().map(ToString::to_string), &found));
        let is_silent = found.is_empty() && outcome.failure.is_none();
        let is_news = outcome.after.is_some() || (said != file.told && !is_silent);
        file.told = said;
        self.waiting.remove(real);
        self.has_acted = true;
        self.worst = self.worst.max(match outcome.failure {
            Some(_) => Worst::Failed,
            None if outcome.fails() => Worst::Found,
            None => Worst::Clean,
        });
        if outcome.after.is_some() {
            // What cannot be read now is read by the next look.
            let _ = file.catch_up(session, real);
        }
        self.tell(&Told::Judged { outcome, is_news });
        let is_clean = outcome.failure.is_none() && !outcome.fails() && outcome.checked.records > 0;
        if is_new && is_clean && self.watching.purpose == Purpose::Fix {
            // A run accepts only what lies outside of every repository, and where nothing else is the baseline.
            if let Err(error) = act::accept(session, real, outcome.text()) {
                self.tell(&Told::Problem { message: error.to_string() });
            }
        }
    }
}
