//! Three of a kind: what the base, our version and their version have each.

/// Our version or theirs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(super) enum Side {
    Ours,
    Theirs,
}

impl Side {
    pub(super) const BOTH: [Self; 2] = [Self::Ours, Self::Theirs];
}

/// One thing of each version.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Three<T> {
    pub(super) base: T,
    pub(super) ours: T,
    pub(super) theirs: T,
}

impl<T> Three<T> {
    pub(super) fn of(&self, side: Side) -> &T {
        match side {
            Side::Ours => &self.ours,
            Side::Theirs => &self.theirs,
        }
    }

    pub(super) fn each(&self) -> Three<&T> {
        Three { base: &self.base, ours: &self.ours, theirs: &self.theirs }
    }

    pub(super) fn map<U>(self, mut make: impl FnMut(T) -> U) -> Three<U> {
        Three { base: make(self.base), ours: make(self.ours), theirs: make(self.theirs) }
    }
}

impl<T: PartialEq> Three<T> {
    /// What holds where a side that changed nothing gives way to the other; `None` where both changed it, each its own way.
    pub(super) fn settled(self) -> Option<T> {
        if self.ours == self.theirs || self.theirs == self.base {
            Some(self.ours)
        } else if self.ours == self.base {
            Some(self.theirs)
        } else {
            None
        }
    }
}
