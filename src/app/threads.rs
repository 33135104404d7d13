//! Work over many items on all processors: items come in, what came of each goes out, in their order.

/// `work` over all of `items`, in order, on as many threads as there are processors.
pub(super) fn parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    into_parallel(items.iter().collect(), work)
}

/// As [`parallel`], on items that are used up.
pub(super) fn into_parallel<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    // Asking for the number of processors reads several files.
    let threads = if items.len() < 2 { 1 } else { std::thread::available_parallelism().map_or(1, usize::from).min(items.len()) };
    spread(items, threads, work)
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
    if threads < 2 {
        return items.into_iter().map(work).collect();
    }
    let count = items.len();
    let queue = std::sync::Mutex::new(items.into_iter().enumerate());
    // Neighbours are taken together: they lie in one folder, of which each thread asks for itself.
    let some = (count / (threads * 8)).clamp(1, 16);
    let next = || queue.lock().ok().map(|mut queue| queue.by_ref().take(some).collect::<Vec<_>>()).filter(|items| !items.is_empty());
    let mut results: Vec<Option<R>> = (0..count).map(|_| None).collect();
    let parts: Vec<Vec<(usize, R)>> = std::thread::scope(|scope| {
        let run = || {
            make_room();
            std::iter::from_fn(next).flatten().map(|(idx, item)| (idx, work(item))).collect::<Vec<_>>()
        };
        // This thread is one of them.
        let handles: Vec<_> = (1..threads).map(|_| scope.spawn(run)).collect();
        let own = run();
        let others = handles.into_iter().map(|handle| handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        std::iter::once(own).chain(others).collect()
    });
    for (idx, result) in parts.into_iter().flatten() {
        results[idx] = Some(result);
    }
    results.into_iter().flatten().collect()
}
