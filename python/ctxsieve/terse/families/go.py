"""go."""

import re

from ctxsieve.terse.families.family import Family, lite, standard

__all__ = ["FAMILIES"]

FAMILIES = (
    Family(
        "go test",
        (("go", "test"), ("gotestsum",)),
        (
            lite(r"^=== (?:RUN|PAUSE|CONT|NAME)\s", "test starts"),
            lite(r"^\s*--- PASS: ", "passing tests"),
            lite(r"^\?\s+\S+\s+\[no test files\]|^\s+\S+\s+coverage: 0\.0% of statements$", "packages without tests"),
            lite(r"^go: (?:downloading|finding|extracting) ", "downloads"),
            standard(r"^PASS$", "passing tests"),
            standard(r"^\s*--- SKIP: ", "skipped tests", shown=3),
            standard(r"^ok\s+\S+\s+(?:[\d.]+s|\(cached\))", "passing packages", shown=3),
        ),
        re.compile(
            r"^=== RUN\s|^\s*--- (?:PASS|FAIL|SKIP): |^(?:ok|FAIL|\?)\s+\S+\s+(?:[\d.]+s|\(cached\)"
            r"|\[no test)"
        ),
    ),
    Family(
        "go build",
        (("go",), ("golangci-lint",), ("staticcheck",)),
        (
            lite(r"^go: (?:downloading|finding|extracting|added|upgraded) ", "downloads"),
            lite(r"^(?:WORK=|mkdir -p \$WORK|cd /|cat >)", "build trace"),
        ),
        re.compile(r"^go: downloading "),
    ),
)
