//! A bar for runs over many files: numbers come in, and a person at a terminal sees how far they are.

/// What a run tells after each file: files done, files in all.
#[cfg(not(feature = "comforts"))]
pub(super) fn progress() -> impl Fn(usize, usize) + Sync {
    |_, _| ()
}

/// What a run tells after each file: files done, files in all. A bar on stderr, where that is a terminal and the work takes over
/// a second.
#[cfg(feature = "comforts")]
pub(super) fn progress() -> impl Fn(usize, usize) + Sync {
    use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
    use std::io::{IsTerminal, stderr};
    use std::sync::OnceLock;
    use std::time::{Duration, Instant};

    let (started, terminal) = (Instant::now(), stderr().is_terminal());
    let bar: OnceLock<ProgressBar> = OnceLock::new();
    move |done, of| {
        if !terminal || (bar.get().is_none() && started.elapsed() < Duration::from_secs(1)) {
            return;
        }
        let bar = bar.get_or_init(|| {
            let bar = ProgressBar::with_draw_target(Some(of as u64), ProgressDrawTarget::stderr());
            let style = ProgressStyle::with_template("{bar:32} {pos}/{len} files").unwrap_or_else(|_| ProgressStyle::default_bar());
            bar.with_style(style)
        });
        bar.set_position(done as u64);
        if done == of {
            bar.finish_and_clear();
        }
    }
}
