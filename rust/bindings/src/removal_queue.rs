//! Files that lose nodes in threads of their own, while the interpreter reads others and takes what is done.

use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use ctxsieve_compress::{Found, Removed, Rules, Tools};
use ctxsieve_kernels::Error;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use crate::compress::{Asked, NodeRemover, RemovedNodes, fields_of_removed};
use crate::tokens::{return_counters, take_counters};

/// How often a caller that waits looks for signals.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(20);

/// None where the work panicked, which would be a defect of ours.
type Done = Option<Result<(Removed, Found), Error>>;

struct Job {
    number: usize,
    rules: Arc<Rules>,
    source: String,
    asked: Asked,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Job>,
    /// By number; None until it is done.
    results: HashMap<usize, Option<Done>>,
    added: usize,
    is_closed: bool,
}

/// What the threads share.
#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    has_work: Condvar,
    has_result: Condvar,
    is_cancelled: AtomicBool,
}

impl Shared {
    /// The next file, None when there will be none.
    fn next(&self) -> Option<Job> {
        let mut state = lock(&self.state);
        while !state.is_closed {
            if let Some(job) = state.waiting.pop_front() {
                return Some(job);
            }
            state = self
                .has_work
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
        None
    }

    fn work(&self, tools: &mut Tools) {
        let mut check = || self.is_cancelled.load(Ordering::Relaxed);
        while let Some(job) = self.next() {
            let remove = || job.asked.remove(&job.source, &job.rules, tools, &mut check);
            let done = catch_unwind(AssertUnwindSafe(remove)).ok();
            lock(&self.state).results.insert(job.number, Some(done));
            self.has_result.notify_all();
        }
    }

    fn close(&self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
        lock(&self.state).is_closed = true;
        self.has_work.notify_all();
    }
}

/// `RemovalQueue(threads)`: files are worked on in the order in which they are added.
#[pyclass(frozen, module = "ctxsieve._kernels._native")]
pub(crate) struct RemovalQueue {
    shared: Arc<Shared>,
    threads: Mutex<Vec<JoinHandle<Tools>>>,
    /// A fork has the object without its threads.
    process: u32,
}

#[pymethods]
impl RemovalQueue {
    #[new]
    fn new(py: Python<'_>, threads: usize) -> PyResult<Self> {
        let queue = Self {
            shared: Arc::default(),
            threads: Mutex::default(),
            process: std::process::id(),
        };
        for counter in take_counters(py, threads.max(1))? {
            let shared = Arc::clone(&queue.shared);
            let thread = Builder::new().spawn(move || {
                let mut tools = Tools::new(counter);
                shared.work(&mut tools);
                tools
            })?;
            lock(&queue.threads).push(thread);
        }
        Ok(queue)
    }

    /// Adds a file and returns its number.
    fn add(&self, remover: &NodeRemover, source: &str, asked: Asked) -> usize {
        let mut state = lock(&self.shared.state);
        let number = state.added;
        state.added += 1;
        state.results.insert(number, None);
        state.waiting.push_back(Job {
            number,
            rules: Arc::clone(&remover.rules),
            source: source.to_owned(),
            asked,
        });
        drop(state);
        self.shared.has_work.notify_one();
        number
    }

    /// The fields of `RemovedNodes` of a file, once it is done.
    fn take<'py>(&self, py: Python<'py>, number: usize) -> PyResult<RemovedNodes<'py>> {
        loop {
            let done = py.detach(|| self.wait(number))?;
            match done {
                Some(Some(Ok((removed, found)))) => {
                    return Ok(fields_of_removed(py, &removed, found));
                }
                Some(Some(Err(Error::Invalid(text)))) => return Err(PyValueError::new_err(text)),
                Some(Some(Err(Error::Interrupted))) => {
                    return Err(PyRuntimeError::new_err("the queue is closed"));
                }
                Some(None) => {
                    return Err(PyRuntimeError::new_err(
                        "remove_nodes failed inside the native core; please report it with the input",
                    ));
                }
                None => py.check_signals()?,
            }
        }
    }

    /// Stops the work on what nobody took; the threads end.
    fn close(&self, py: Python<'_>) {
        py.detach(|| self.stop());
    }
}

impl RemovalQueue {
    /// What became of a file, None after a while without a result.
    fn wait(&self, number: usize) -> PyResult<Option<Done>> {
        let is_missing = || PyValueError::new_err(format!("file {number} is not in the queue"));
        // Before the lock, which a thread may hold that a fork does not have.
        if self.process != std::process::id() {
            return Err(is_missing());
        }
        let state = lock(&self.shared.state);
        if state.is_closed || !state.results.contains_key(&number) {
            return Err(is_missing());
        }
        let is_waited_for = |state: &mut State| {
            let result = state.results.get(&number);
            result.is_some_and(Option::is_none) && !state.is_closed
        };
        let has_result = &self.shared.has_result;
        let waited = has_result.wait_timeout_while(state, SIGNAL_INTERVAL, is_waited_for);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let done = state.results.get_mut(&number).and_then(Option::take);
        if done.is_some() {
            state.results.remove(&number);
        }
        Ok(done)
    }

    fn stop(&self) {
        if self.process != std::process::id() {
            return;
        }
        self.shared.close();
        let threads = std::mem::take(&mut *lock(&self.threads));
        let ended = threads.into_iter().filter_map(|thread| thread.join().ok());
        return_counters(ended.map(Tools::into_counter).collect());
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Drop for RemovalQueue {
    fn drop(&mut self) {
        self.stop();
    }
}
