//! The records of one group.
//!
//! In: numbers of records, one by one. Out: a slice of them. Nearly every group has one record, and a text may have a million groups:
//! one number needs no memory of its own.

use std::ops::Deref;

/// Numbers of records in `Document::records`, in text order.
#[derive(Debug, Default)]
pub struct Members(Kind);

#[derive(Debug, Default)]
enum Kind {
    #[default]
    None,
    One(u32),
    // Boxed, so that a group with one record is the smaller.
    #[allow(clippy::box_collection)]
    Several(Box<Vec<u32>>),
}

impl Members {
    pub(super) fn push(&mut self, record: u32) {
        match &mut self.0 {
            Kind::None => self.0 = Kind::One(record),
            Kind::One(first) => self.0 = Kind::Several(Box::new(vec![*first, record])),
            Kind::Several(records) => records.push(record),
        }
    }
}

impl Deref for Members {
    type Target = [u32];

    fn deref(&self) -> &[u32] {
        match &self.0 {
            Kind::None => &[],
            Kind::One(record) => std::slice::from_ref(record),
            Kind::Several(records) => records,
        }
    }
}

impl<'a> IntoIterator for &'a Members {
    type Item = &'a u32;
    type IntoIter = std::slice::Iter<'a, u32>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
