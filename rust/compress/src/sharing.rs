//! Work on many files, shared out among threads.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::ScopedJoinHandle;

use ctxsieve_kernels::Error;

use crate::costs::Check;

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
    let is_stopped = AtomicBool::new(false);
    let done: Mutex<Vec<Option<T>>> = Mutex::new((0..count).map(|_| None).collect());
    let run = |state: &mut S, check: Check<'_>| -> Result<(), Error> {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count {
                return Ok(());
            }
            if check() {
                return Err(Error::Interrupted);
            }
            let result = work(state, index, check)?;
            done.lock().unwrap_or_else(PoisonError::into_inner)[index] = Some(result);
        }
    };
    let (outcome, others) = std::thread::scope(|scope| {
        let run = &run;
        let stopped = &is_stopped;
        let handles: Vec<_> = others
            .iter_mut()
            .take(count.saturating_sub(1))
            .map(|state| scope.spawn(move || run(state, &mut || stopped.load(Ordering::Relaxed))))
            .collect();
        let outcome = meanwhile(check).and_then(|made| run(own, check).map(|()| made));
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
}
