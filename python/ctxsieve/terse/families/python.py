"""pytest, unittest, pip, ruff, mypy."""

import re

from ctxsieve.terse.families.family import Family, lite, maximum, standard

__all__ = ["FAMILIES"]

FAMILIES = (
    Family(
        "pytest",
        (("pytest",), ("py.test",), ("tox",), ("nox",)),
        (
            lite(r"^\S+\.py(?:::\S+.*)? (?:PASSED|XFAIL|XPASS)\b", "passing tests"),
            lite(r"^\S+\.py [.sxX]+(?:\s+\[\s*\d+%\])?$", "passing tests"),
            lite(r"^[.sxX]+(?:\s+\[\s*\d+%\])?$", "passing tests"),
            lite(r"^\[gw\d+\].* PASSED ", "passing tests"),
            standard(r"^\S+\.py::\S+.* SKIPPED\b", "skipped tests", shown=3),
            standard(
                r"^(?:platform \w+ -- Python|cachedir:|rootdir:|configfile:|plugins:|testpaths:"
                r"|hypothesis profile|asyncio: )",
                "session header",
            ),
            standard(r"^=+ test session starts =+$|^Using --randomly-seed|^collecting \.\.\.", "session header"),
            standard(r"^created: \d+/\d+ workers|^\d+ workers \[|^scheduling tests via", "session header"),
            standard(r"^-- Docs: https://docs\.pytest\.org", "links"),
            standard(r"^\S+\s+\d+\s+0(?:\s+\d+\s+0)?\s+100%$", "fully covered files"),
        ),
        re.compile(r"^=+ .*(?:test session starts|passed|failed).* =+$|^collected \d+ items|^\S+\.py [.sxXFE]+\s+\["),
    ),
    Family(
        "unittest",
        (("python", "-m", "unittest"),),
        (
            lite(r"^\w+ \([\w.]+\)(?: \.\.\.|\n.*\.\.\.) ok$", "passing tests"),
            lite(r"^.* \.\.\. ok$", "passing tests"),
            standard(r"^.* \.\.\. skipped ", "skipped tests", shown=3),
        ),
        re.compile(r"^\w+ \([\w.]+\)(?: \.\.\. (?:ok|FAIL|ERROR))$"),
    ),
    Family(
        "pip install",
        (
            ("pip", "install"),
            ("pip3", "install"),
            ("pip", "download"),
            ("pip", "wheel"),
            ("pip", "uninstall"),
            ("pipx",),
        ),
        (
            lite(
                r"^\s*(?:Collecting|Downloading|Using cached|Obtaining|Looking in|Processing|Saved|Looking up"
                r"|Cloning) ",
                "downloads",
            ),
            lite(
                r"^\s*(?:Preparing metadata|Getting requirements|Installing build dep|Installing backend"
                r"|Building wheels? for|Created wheel|Stored in directory|Running setup|Building editable"
                r"|Checking if build backend)",
                "build steps",
            ),
            lite(r"^[━╸╺─\s]*\d[\d.]*/[\d.]+ [kMG]?B", "progress"),
            lite(r"^\s*\|?[█▏▎▍▌▋▊▉ ]{3,}\|?\s", "progress"),
            lite(r"^\[notice\]", "notices"),
            lite(
                r"^\s*(?:Attempting uninstall|Found existing installation|Uninstalling "
                r"|Successfully uninstalled|Installing collected packages)",
                "replaced packages",
            ),
            standard(r"^Requirement already satisfied: ", "satisfied requirements"),
        ),
        re.compile(
            r"^Collecting |^\s+Downloading .+\.(?:whl|tar\.gz)|^Requirement already satisfied"
            r"|^Installing collected packages"
        ),
    ),
    Family(
        "uv",
        (("uv",), ("poetry",), ("pdm",), ("conda",), ("mamba",)),
        (
            lite(
                r"^\s*(?:Downloading|Downloaded|Building|Built|Preparing|Updating|Fetching|Extracting|Linking"
                r"|Collecting package metadata|Solving environment)\b",
                "steps",
            ),
            lite(
                r"^\s+- (?:Installing|Updating|Downloading) \S+ \(.*\)(?:: (?:Downloading|Installing|Pending).*)?$",
                "steps",
            ),
            standard(r"^ [+-] \S+==\S+", "changed packages", shown=10),
        ),
        re.compile(r"^(?:Resolved|Prepared|Installed|Audited) \d+ packages? in "),
    ),
    Family(
        "ruff",
        (("ruff",), ("flake8",), ("pylint",), ("black",), ("isort",)),
        (
            standard(r"^\s*\|\s*$", "frame lines"),
            maximum(r"^\s*(?:\d+\s*)?\| (?!.*[\^]).*$", "code frames"),
            maximum(r"^\s*(?:help|= help): ", "help texts"),
            standard(r"^(?:reformatted|would reformat|unchanged) ", "formatted files", shown=20),
        ),
        re.compile(r"^\S+\.pyi?:\d+:\d+: [A-Z]+\d+ |^\s+--> \S+\.pyi?:\d+:\d+$"),
    ),
    Family(
        "mypy",
        (("mypy",), ("dmypy",), ("pyright",), ("basedpyright",)),
        (
            lite(r": note: See https?://", "links"),
            lite(
                r"^(?:No configuration file found|Assuming Python|Searching for source files"
                r"|Found \d+ source files|pyright \d)",
                "steps",
            ),
            maximum(r": note: (?!Revealed)", "notes", shown=5),
        ),
        re.compile(r"^\S+\.pyi?:\d+(?::\d+)?: (?:error|note|warning): "),
    ),
)
