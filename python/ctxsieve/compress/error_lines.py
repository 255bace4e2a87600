"""Lines that handle errors."""

from ctxsieve.patterns import lazy_pattern

__all__ = ["handles_errors"]

# Words with which the supported languages raise, catch and report errors.
_ERROR_WORD = lazy_pattern(
    r"\b(?:raise|throw|throws|except|catch|rescue|ensure|finally|panic|panicked|recover|assert\w*|err|error\w*|"
    r"\w+(?:Error|Exception)|fail\w*|abort|unwrap|expect|Err|errno|defer|trap|die|warn\w*)\b"
)


def handles_errors(text: str) -> bool:
    """Say whether a line raises, catches, checks or reports an error."""
    return _ERROR_WORD.search(text) is not None
