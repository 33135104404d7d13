//! Columns for people: each as wide as its widest cell, the last one free. A column that is empty in all rows is left out.

use super::super::visible::one_line;

/// Wider cells do not push the others aside.
const WIDEST: usize = 60;

/// `head` and `rows` as lines; nothing where there are no rows.
pub(super) fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let rows: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(|cell| one_line(cell).into_owned()).collect()).collect();
    let used: Vec<usize> = (0..head.len()).filter(|&column| rows.iter().any(|row| !row[column].is_empty())).collect();
    let count = |text: &str| text.chars().count();
    let width = |column: usize| {
        let widest = rows.iter().map(|row| count(&row[column])).filter(|&width| width <= WIDEST).max().unwrap_or(0);
        widest.max(count(head[column]))
    };
    let widths: Vec<usize> = used.iter().map(|&column| width(column)).collect();
    let line = |cells: &dyn Fn(usize) -> String| {
        let mut out = String::new();
        for (&column, width) in used.iter().zip(&widths) {
            let cell = cells(column);
            out.push_str(&cell);
            out.push_str(&" ".repeat(width.saturating_sub(count(&cell)) + 2));
        }
        out.truncate(out.trim_end().len());
        out + "\n"
    };
    let mut out = line(&|column| head[column].to_owned());
    rows.iter().for_each(|row| out.push_str(&line(&|column| row[column].clone())));
    out
}
