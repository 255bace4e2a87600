//! Tables that are looked up all over, in large pages where the system has them: with small ones each look-up would
//! cost a walk of the page table. Large pages must be aligned, which allocators do not see to.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

/// The size of a large page, and the smallest table that gets its own.
#[cfg(target_os = "linux")]
const LARGE_PAGE_BYTES: usize = 1 << 21;

/// An entry of a table.
///
/// # Safety
///
/// Zero bytes must be the value [`Entry::EMPTY`].
pub(crate) unsafe trait Entry: Copy + Send + Sync + 'static {
    /// No entry.
    const EMPTY: Self;
}

/// A fixed number of entries, empty at first.
pub(crate) struct Table<T: Entry> {
    start: NonNull<T>,
    length: usize,
    /// Pages of its own instead of a boxed slice.
    is_mapped: bool,
}

// SAFETY: a table owns its entries as a boxed slice does.
unsafe impl<T: Entry> Send for Table<T> {}
// SAFETY: as above; shared access only reads.
unsafe impl<T: Entry> Sync for Table<T> {}

impl<T: Entry> Table<T> {
    pub(crate) fn new(length: usize) -> Table<T> {
        if let Some(start) = map_large_pages(length * size_of::<T>()) {
            return Table {
                start: start.cast(),
                length,
                is_mapped: true,
            };
        }
        let entries = Box::leak(vec![T::EMPTY; length].into_boxed_slice());
        Table {
            start: NonNull::from(entries).cast(),
            length,
            is_mapped: false,
        }
    }
}

impl<T: Entry> Drop for Table<T> {
    fn drop(&mut self) {
        if self.is_mapped {
            unmap(self.start.cast(), self.length * size_of::<T>());
            return;
        }
        let entries = NonNull::slice_from_raw_parts(self.start, self.length);
        // SAFETY: this is the boxed slice that `new` leaked.
        drop(unsafe { Box::from_raw(entries.as_ptr()) });
    }
}

impl<T: Entry> Deref for Table<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: `length` valid entries that the table owns, from the slice or from pages of zeros.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.length) }
    }
}

impl<T: Entry> DerefMut for Table<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as for `deref`; the exclusive borrow of the table is one of its entries.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.length) }
    }
}

impl<T: Entry> fmt::Debug for Table<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Table of {}", self.length)
    }
}

/// Whole large pages of zeros; none for other sizes, on other systems or where the system refuses.
#[cfg(target_os = "linux")]
fn map_large_pages(bytes: usize) -> Option<NonNull<u8>> {
    if bytes == 0 || !bytes.is_multiple_of(LARGE_PAGE_BYTES) {
        return None;
    }
    // One more, to cut an aligned part out of it.
    let mapped_bytes = bytes + LARGE_PAGE_BYTES;
    // SAFETY: a new private mapping, which touches no memory that exists.
    let mapped = unsafe {
        libc::mmap(
            std::ptr::null_mut(),
            mapped_bytes,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
            -1,
            0,
        )
    };
    if mapped == libc::MAP_FAILED {
        return None;
    }
    let mapped = NonNull::new(mapped.cast::<u8>())?;
    let skipped = mapped.align_offset(LARGE_PAGE_BYTES).min(LARGE_PAGE_BYTES);
    // SAFETY: both are inside the mapping or at its end.
    let (start, end) = unsafe { (mapped.add(skipped), mapped.add(skipped + bytes)) };
    unmap(mapped, skipped);
    unmap(end, LARGE_PAGE_BYTES - skipped);
    // SAFETY: the pages were mapped above; the advice does not change their content, and may be refused.
    unsafe { libc::madvise(start.as_ptr().cast(), bytes, libc::MADV_HUGEPAGE) };
    Some(start)
}

#[cfg(target_os = "linux")]
fn unmap(start: NonNull<u8>, bytes: usize) {
    if bytes > 0 {
        // SAFETY: only called with whole pages of mappings of this module that nothing uses any more.
        unsafe { libc::munmap(start.as_ptr().cast(), bytes) };
    }
}

#[cfg(not(target_os = "linux"))]
fn map_large_pages(_: usize) -> Option<NonNull<u8>> {
    None
}

#[cfg(not(target_os = "linux"))]
fn unmap(_: NonNull<u8>, _: usize) {}

#[cfg(test)]
mod tests {
    use super::*;

    // SAFETY: 0.
    unsafe impl Entry for u64 {
        const EMPTY: u64 = 0;
    }

    #[test]
    fn tables_of_every_size_are_empty_and_hold_what_is_written() {
        for length in [0, 1, 1000, 1 << 18, (1 << 18) + 1, 1 << 20] {
            for _ in 0..3 {
                let mut table = Table::<u64>::new(length);
                assert_eq!(table.len(), length);
                assert!(table.iter().all(|&entry| entry == 0));
                for (number, entry) in (1..).zip(&mut *table) {
                    *entry = number;
                }
                assert!(
                    table
                        .iter()
                        .zip(1..)
                        .all(|(&entry, number)| entry == number)
                );
            }
        }
    }
}
