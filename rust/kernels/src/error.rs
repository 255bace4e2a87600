//! Why a kernel gave no result.

use std::fmt;

/// Why a kernel gave no result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Error {
    /// An argument is wrong; the text names it, its value and what is allowed.
    Invalid(String),
    /// The `check` argument asked to stop.
    Interrupted,
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(text) => formatter.write_str(text),
            Self::Interrupted => formatter.write_str("interrupted"),
        }
    }
}

impl std::error::Error for Error {}

impl Error {
    pub(crate) fn invalid<T>(text: String) -> Result<T, Self> {
        Err(Self::Invalid(text))
    }
}

/// Returns [`Error::Interrupted`] once `check` asks to stop.
pub(crate) fn poll(check: &mut dyn FnMut() -> bool) -> Result<(), Error> {
    if check() {
        Err(Error::Interrupted)
    } else {
        Ok(())
    }
}

/// Writes a number as Python's `repr` does, so that both implementations raise the same text.
#[must_use]
pub fn python_float(value: f64) -> String {
    if value.is_nan() {
        return "nan".to_owned();
    }
    let text = format!("{value:?}");
    match text.split_once('e') {
        None => text,
        Some((digits, exponent)) => {
            let (sign, magnitude) = match exponent.strip_prefix('-') {
                Some(magnitude) => ('-', magnitude),
                None => ('+', exponent),
            };
            format!("{digits}e{sign}{magnitude:0>2}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::python_float;

    #[test]
    fn floats_read_as_in_python() {
        let cases = [
            (f64::NAN, "nan"),
            (f64::INFINITY, "inf"),
            (f64::NEG_INFINITY, "-inf"),
            (-0.0, "-0.0"),
            (1.0, "1.0"),
            (-0.25, "-0.25"),
            (1e15, "1000000000000000.0"),
            (1e16, "1e+16"),
            (1e-4, "0.0001"),
            (1.5e-5, "1.5e-05"),
            (5e-324, "5e-324"),
            (1e300, "1e+300"),
        ];
        for (value, text) in cases {
            assert_eq!(python_float(value), text);
        }
    }
}
