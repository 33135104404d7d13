//! Questions and writing on a file of 1,000 facts, from its text: what a process does after it has read the file.
//!
//! `cargo bench --bench queries` prints times.

use chrono::NaiveDate;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use memfile::check::{Selection, Subject, analyse};
use memfile::command::{Fact, World, set};
use memfile::config::Config;
use memfile::query::{Chain, Teller, Wish, present, resolve};
use std::fmt::Write;
use std::hint::black_box;

const FACTS: usize = 1_000;

/// The fact that is asked for and set: it has history, and stands in the middle.
const KEY: &str = "Region 502";

const WORDS: [&str; 8] = ["Database", "Region", "Owner", "Queue", "Cache", "Budget", "Runtime", "Deadline"];

/// A memory file of 1,000 facts in both shapes of a list; every third has a version that was replaced.
fn memory() -> String {
    let mut text = String::from("## Project memory\n\n");
    for fact in 0..FACTS {
        let (day, word) = (1 + fact % 28, if fact == 502 { "Region" } else { WORDS[fact % WORDS.len()] });
        if fact % 3 == 1 {
            let _ = writeln!(
                text,
                "- {word} {fact}: old-{fact} (source: call 2026-02-{day:02}; since: 2026-02) [historical] replaced by: new-{fact} as of 2026-05-01"
            );
        }
        let _ = match fact % 3 {
            0 => writeln!(text, "- {word} {fact} | plan {fact} of the team | source: call 2026-03-{day:02}"),
            _ => writeln!(text, "- {word} {fact}: new-{fact} (source: review 2026-04-{day:02}; since: 2026-05-01)"),
        };
    }
    text
}

fn chains(text: &str, subject: &Subject) -> Vec<Chain> {
    analyse(text, subject, |analysis, revisions| Teller::new("AGENTS.md", analysis, revisions).all())
}

fn queries(criterion: &mut Criterion) {
    let (config, selection) = (Config::default(), Selection::default());
    let today = NaiveDate::from_ymd_opt(2026, 12, 1).expect("a day");
    let subject = Subject::new(&config, &selection, today);
    let text = memory();
    let world = World { config: &config, whole_file: false, today, revisions: &Vec::new, commits: None };
    let wish = Wish {
        question: Some("which region was it before?"),
        limit: 15,
        max_tokens: None,
        rules: false,
        full_tags: false,
        command: "memfile present",
    };
    let fact = Fact { key: KEY, value: "eu-west-1", source: Some("review 2026-11-30"), since: Some("2026-12-01"), ..Fact::default() };

    let mut group = criterion.benchmark_group(format!("{FACTS} facts"));
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("now of one key", |bench| {
        bench.iter(|| {
            analyse(black_box(&text), &subject, |analysis, revisions| {
                let number = resolve(analysis.facts, KEY).expect("it is there");
                let chain = Teller::new("AGENTS.md", analysis, revisions).chain(number);
                chain.current().count()
            })
        });
    });
    group.bench_function("present with a question", |bench| {
        bench.iter(|| present(&chains(black_box(&text), &subject), &wish, today).shown);
    });
    group.bench_function("set", |bench| {
        bench.iter(|| set(black_box(&text), &world, &fact, false).expect("it is there").after.map(|text| text.len()));
    });
    group.finish();
}

criterion_group!(benches, queries);
criterion_main!(benches);
