//! Work over many items on all processors: items come in, what came of each goes out, in their order.

use std::collections::BTreeMap;
use std::sync::Mutex;

/// `work` over all of `items`, in order, on as many threads as there are processors.
pub(super) fn parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    into_parallel(items.iter().collect(), work)
}

/// As [`parallel`], on items that are used up.
pub(super) fn into_parallel<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let threads = threads_for(items.len());
    spread(items, threads, work)
}

/// As many threads as there are processors, but no more than `items`.
pub(super) fn threads_for(items: usize) -> usize {
    // Asking for the number of processors reads several files.
    if items < 2 { 1 } else { std::thread::available_parallelism().map_or(1, usize::from).min(items) }
}

/// Bytes that a thread's allocator holds from the start.
const ROOM: usize = 16 << 20;

/// Lets the allocator take a thread's memory from the system in one piece. glibc asks for a page or a few at a time, a call each, and
/// unmaps what is large as soon as it is free; once it has seen something large come and go it keeps as much. Nothing is touched.
fn make_room() {
    for _ in 0..2 {
        drop(std::hint::black_box(Vec::<u8>::with_capacity(ROOM)));
    }
}

/// `work` over all of `items`, in order, on `threads` threads.
pub(super) fn spread<T: Send, R: Send>(items: Vec<T>, threads: usize, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let mut results = Vec::with_capacity(items.len());
    hand_over(items, threads, work, |result| results.push(result));
    results
}

/// `work` over all of `items` on `threads` threads. What came of each goes to `take`, in order, as soon as all before it went there.
pub(super) fn hand_over<T: Send, R: Send>(items: Vec<T>, threads: usize, work: impl Fn(T) -> R + Sync, mut take: impl FnMut(R) + Send) {
    if threads < 2 {
        return items.into_iter().for_each(|item| take(work(item)));
    }
    // Neighbours are taken together: they lie in one folder, of which each thread asks for itself.
    let some = (items.len() / (threads * 8)).clamp(1, 16);
    let queue = Mutex::new(items.into_iter().enumerate());
    let line = Mutex::new(Line { next: 0, waiting: BTreeMap::new(), take });
    let run = || {
        make_room();
        // Where another thread panicked there is nothing left to do.
        while let Some(items) = queue.lock().ok().map(|mut queue| queue.by_ref().take(some).collect::<Vec<_>>())
            && let Some(&(first, _)) = items.first()
        {
            let results = items.into_iter().map(|(_, item)| work(item)).collect();
            let Ok(mut line) = line.lock() else { return };
            line.put(first, results);
        }
    };
    std::thread::scope(|scope| {
        // This thread is one of them.
        let handles: Vec<_> = (1..threads).map(|_| scope.spawn(run)).collect();
        run();
        handles.into_iter().for_each(|handle| handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
    });
}

/// Results that come in any order and go out in the right one.
struct Line<R, F> {
    next: usize,
    waiting: BTreeMap<usize, Vec<R>>,
    take: F,
}

impl<R, F: FnMut(R)> Line<R, F> {
    /// Takes the results of the items from number `first` on.
    fn put(&mut self, first: usize, results: Vec<R>) {
        self.waiting.insert(first, results);
        while let Some(results) = self.waiting.remove(&self.next) {
            self.next += results.len();
            results.into_iter().for_each(&mut self.take);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{hand_over, spread};

    #[test]
    fn what_comes_of_items_comes_in_their_order() {
        // The first items take longest.
        let work = |number: u64| {
            std::thread::sleep(std::time::Duration::from_micros(if number < 20 { 500 } else { 0 }));
            number * 2
        };
        for (count, threads) in [(0, 4), (1, 4), (7, 1), (7, 3), (500, 4)] {
            let doubled: Vec<u64> = (0..count).map(|number| number * 2).collect();
            assert_eq!(spread((0..count).collect(), threads, work), doubled);
            let mut taken = Vec::new();
            hand_over((0..count).collect(), threads, work, |result| taken.push(result));
            assert_eq!(taken, doubled);
        }
    }

    #[test]
    fn a_panic_of_a_thread_is_one_of_all() {
        let work = |number: u64| assert!(number != 77, "a flaw");
        assert!(std::panic::catch_unwind(|| spread((0..100).collect(), 3, work)).is_err());
    }
}
