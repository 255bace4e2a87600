"""cargo."""

import re

from ctxsieve.terse.families.family import Family, lite, maximum, standard

__all__ = ["FAMILIES"]

_STEPS = lite(
    r"^\s+(?:Compiling|Checking|Downloaded|Downloading|Updating|Locking|Adding|Fresh|Blocking|Unpacking|Dirty"
    r"|Documenting"
    r"|Packaging|Verifying|Installing|Replacing|Generated|Scraping|Building|Upgrading|Downgrading|Unchanged)\b ",
    "build steps",
)
_NOTES = (
    standard(r"^\s+= note: `#\[(?:warn|deny)", "lint defaults"),
    standard(r"^\s+= help: for further information visit ", "lint links"),
    standard(r"^\s*= note: for more information, see ", "lint links"),
    maximum(r"^\s*\|\s*$", "frame lines"),
)

FAMILIES = (
    Family(
        "cargo test",
        (("cargo", "test"), ("cargo", "nextest"), ("cargo", "bench")),
        (
            _STEPS,
            lite(r"^test .+ \.\.\. ok$", "passing tests"),
            lite(r"^\s+PASS \[", "passing tests"),
            standard(r"^test .+ \.\.\. ignored", "ignored tests", shown=3),
            standard(r"^running \d+ tests?$|^\s+(?:Running|Doc-tests) ", "test binaries"),
            standard(r"^test result: ok\. 0 passed; 0 failed", "empty test binaries"),
            *_NOTES,
        ),
        re.compile(r"^test .+ \.\.\. (?:ok|FAILED|ignored)|^test result: |^running \d+ tests?$"),
    ),
    Family(
        "cargo build",
        (("cargo",), ("rustc",), ("maturin",)),
        (_STEPS, *_NOTES),
        re.compile(
            r"^\s+(?:Compiling|Checking|Downloaded|Finished|Fresh|Locking) .*(?:v?\d+\.\d+|target\(s\)|packages)"
        ),
    ),
    Family(
        "rustup",
        (("rustup",),),
        (
            lite(
                r"^info: (?:downloading|installing|syncing|latest update|default toolchain|removing|rolling)", "steps"
            ),
            lite(r"^\s*[\d.]+ [KMG]iB / ", "progress"),
        ),
        re.compile(r"^info: (?:downloading|installing) component"),
    ),
)
