//! The stages of a check at three sizes: parse, group, check, fix.
//!
//! `cargo bench` prints times; read them as ratios between stages and sizes.

use chrono::NaiveDate;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use memfile::check::{Selection, Subject, check};
use memfile::config::Config;
use memfile::diagnostic::Applicability;
use memfile::facts::Facts;
use memfile::fix::fix;
use memfile::syntax::{Reading, parse};
use std::fmt::Write;
use std::hint::black_box;

/// A memory file of about `size` bytes: sections of records in all shapes, a third of the facts with several versions.
fn memory(size: usize) -> String {
    let mut text = String::from("# Project memory\n");
    let mut section = 0;
    while text.len() < size {
        section += 1;
        let _ = write!(text, "\n## Part {section}\n\nWhat the part is for, in a sentence or two.\n\n");
        for fact in 0..8 {
            let day = 1 + (section + fact) % 28;
            let _ = match fact % 4 {
                0 => writeln!(text, "- Port {fact}: {section}"),
                1 => writeln!(text, "- Owner {fact} | Kim {section} | source: call 2026-03-{day:02}"),
                2 => writeln!(text, "- **Region {fact}**: eu-{section} (since 2026-02-{day:02})"),
                _ => writeln!(text, "- Owner {} | Lee {section} | source: call 2026-05-{day:02}\n  - on call at night", fact - 2),
            };
        }
        let _ = write!(text, "\n| Parameter | Value | Source |\n|---|---|---|\n| Fee | {section} | letter 2026-01-05 |\n");
    }
    text
}

fn stages(criterion: &mut Criterion) {
    let config = Config::default();
    let selection = Selection::default();
    let today = NaiveDate::from_ymd_opt(2026, 11, 29).expect("a day");
    let subject = Subject::new(&config, &selection, today);
    for size in [2_000, 20_000, 200_000] {
        let text = memory(size);
        let mut group = criterion.benchmark_group(format!("{} KB", size / 1000));
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(BenchmarkId::from_parameter("parse"), |bench| {
            bench.iter(|| parse(black_box(&text), Reading::new(&config)).records.len())
        });
        let document = parse(&text, Reading::new(&config));
        group.bench_function(BenchmarkId::from_parameter("group"), |bench| {
            bench.iter(|| Facts::new(black_box(&document), &config).groups.len())
        });
        group.bench_function(BenchmarkId::from_parameter("check"), |bench| {
            bench.iter(|| check(black_box(&text), &subject).diagnostics.len())
        });
        group.sample_size(10);
        group.bench_function(BenchmarkId::from_parameter("fix"), |bench| {
            bench.iter(|| fix(black_box(&text), &subject, Applicability::Safe).map(|fixed| fixed.applied.len()));
        });
        group.finish();
    }
}

criterion_group!(benches, stages);
criterion_main!(benches);
