//! Work on many files, shared out among threads.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::ScopedJoinHandle;
use std::time::Duration;

use ctxsieve_kernels::Error;

use crate::costs::Check;

/// How often a thread that waits for the others asks whether to stop.
const CHECK_INTERVAL: Duration = Duration::from_millis(10);

/// Does some work for every number below `count`, in as many threads as there are `states`; results in order.
///
/// This thread does `meanwhile` first. Only in it `check` is asked.
pub(crate) fn share_out<S: Send, T: Send, R>(
    count: usize,
    states: &mut [S],
    meanwhile: impl FnOnce(Check<'_>) -> Result<R, Error>,
    work: impl Fn(&mut S, usize, Check<'_>) -> Result<T, Error> + Sync,
    check: Check<'_>,
) -> Result<(R, Vec<T>), Error> {
    let Some((own, others)) = states.split_first_mut() else {
        return Err(Error::Invalid("there is no thread for the work".to_owned()));
    };
    let next = AtomicUsize::new(0);
    let (is_stopped, ended) = (AtomicBool::new(false), AtomicUsize::new(0));
    let owner = std::thread::current();
    let done: Mutex<Vec<Option<T>>> = Mutex::new((0..count).map(|_| None).collect());
    let run = |state: &mut S, check: Check<'_>| -> Result<(), Error> {
        loop {
            if check() {
                return Err(Error::Interrupted);
            }
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count {
                return Ok(());
            }
            let result = work(state, index, check)?;
            done.lock().unwrap_or_else(PoisonError::into_inner)[index] = Some(result);
        }
    };
    let (outcome, others) = std::thread::scope(|scope| {
        let run = &run;
        let stopped = &is_stopped;
        let (ended, owner) = (&ended, &owner);
        let handles: Vec<_> = others
            .iter_mut()
            .take(count.saturating_sub(1))
            .map(|state| {
                scope.spawn(move || {
                    let outcome = run(state, &mut || stopped.load(Ordering::Relaxed));
                    ended.fetch_add(1, Ordering::Relaxed);
                    owner.unpark();
                    outcome
                })
            })
            .collect();
        let mut outcome = meanwhile(check).and_then(|made| run(own, check).map(|()| made));
        while outcome.is_ok()
            && ended.load(Ordering::Relaxed) < handles.len()
            && !handles.iter().all(ScopedJoinHandle::is_finished)
        {
            if check() {
                outcome = Err(Error::Interrupted);
            } else {
                std::thread::park_timeout(CHECK_INTERVAL);
            }
        }
        if outcome.is_err() {
            is_stopped.store(true, Ordering::Relaxed);
        }
        let others: Vec<_> = handles.into_iter().map(ScopedJoinHandle::join).collect();
        (outcome, others)
    });
    let made = outcome?;
    for other in others {
        other.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
    }
    let done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok((made, done.into_iter().flatten().collect()))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::share_out;
    use ctxsieve_kernels::Error;

    #[test]
    fn results_stand_in_order_and_errors_come_through() {
        for threads in 1..4 {
            let mut states = vec![(); threads];
            let (made, done) = share_out(
                9,
                &mut states,
                |_| Ok("made"),
                |(), index, _| Ok(index * index),
                &mut || false,
            )
            .unwrap();
            assert_eq!((made, done.len(), done[8]), ("made", 9, 64));
            let failed = share_out(
                9,
                &mut states,
                |_| Ok(()),
                |(), index, _| {
                    if index == 5 {
                        Err(Error::Invalid("five".to_owned()))
                    } else {
                        Ok(())
                    }
                },
                &mut || false,
            );
            assert_eq!(failed.unwrap_err(), Error::Invalid("five".to_owned()));
            let stopped = share_out(9, &mut states, |_| Ok(()), |(), _, _| Ok(()), &mut || true);
            assert_eq!(stopped.unwrap_err(), Error::Interrupted);
        }
    }

    #[test]
    fn who_waits_for_the_others_can_be_stopped() {
        let (others_are_at_work, asked_to_stop) = (AtomicBool::new(false), AtomicBool::new(false));
        let stopped = share_out(
            2,
            &mut [0, 1],
            |_| {
                while !others_are_at_work.load(Ordering::Relaxed) {
                    std::thread::yield_now();
                }
                Ok(())
            },
            |thread, _, check| {
                if *thread == 0 {
                    asked_to_stop.store(true, Ordering::Relaxed);
                    return Ok(());
                }
                others_are_at_work.store(true, Ordering::Relaxed);
                while !check() {
                    std::thread::yield_now();
                }
                Err(Error::Interrupted)
            },
            &mut || asked_to_stop.load(Ordering::Relaxed),
        );
        assert_eq!(stopped.unwrap_err(), Error::Interrupted);
    }
}
