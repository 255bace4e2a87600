"""npm, yarn, pnpm, tsc, eslint, jest, vitest, webpack and vite."""

import re

from ctxsieve.terse.families.family import Family, lite, maximum, standard

__all__ = ["FAMILIES"]

FAMILIES = (
    Family(
        "npm install",
        (("npm", "install"), ("npm", "i"), ("npm", "ci"), ("npm", "add"), ("npm", "update"), ("npm", "uninstall")),
        (
            lite(r"^npm (?:http|timing|sill|verb|info|notice)\b", "notices"),
            lite(r"packages? (?:is|are) looking for funding|^\s*run `npm fund` for details", "funding"),
            lite(r"^(?:npm warn|npm WARN) (?:deprecated|optional|EBADENGINE)\b", "deprecations"),
            lite(r"^[⠁-⣿|/\\-]\s*$|^\(?[#⸩⸨░▒ ]{5,}\)?", "progress"),
        ),
        re.compile(
            r"^npm (?:warn|WARN|notice|ERR!|error)\b|^(?:added|removed|changed|up to date).* in \d"
            r"|looking for funding"
        ),
    ),
    Family(
        "npm run",
        (("npm", "run"), ("npm", "test"), ("npm", "start"), ("npm", "exec")),
        (standard(r"^> \S+@\S+ \S+|^> \S.*$", "script echo", shown=2), lite(r"^npm notice", "notices")),
    ),
    Family(
        "yarn",
        (("yarn",), ("pnpm",), ("bun",)),
        (
            lite(r"^\[\d/\d\] (?:🔍|🚚|🔗|🔨|📃)?\s*\S+", "steps"),
            lite(r"^(?:➤ )?YN0000: [┌└]|^➤ YN00(?:13|19|00)\b", "steps"),
            lite(
                r"^(?:Progress: resolved|Packages: [+-]|[+-]+$|Downloading |Already up to date"
                r"|Lockfile is up to date|Resolution step)",
                "progress",
            ),
            lite(
                r"^info (?:No lockfile|Direct dependencies|All dependencies|There appears|Visit|fsevents)"
                r"|^yarn (?:install|run) v",
                "steps",
            ),
            lite(
                r"^(?:warning|➤ YN0002:|\s?WARN\s) .*(?:deprecated|peer dep|unmet peer|has no license)",
                "peer and deprecation warnings",
            ),
            lite(r"^\S+ (?:pre|post)?install[.$:]|^[├└]─ ", "install scripts"),
        ),
        re.compile(r"^yarn (?:install|run) v\d|^\[\d/\d\] |^➤ YN\d+|^Progress: resolved \d+|^Packages: \+\d+"),
    ),
    Family(
        "tsc",
        (("tsc",), ("vue-tsc",)),
        (
            lite(
                r"Starting (?:incremental )?compilation|^\s*Projects in this build:|is up to date because"
                r"|Watching for file changes",
                "steps",
            ),
            maximum(r"^\s*~+\s*$", "underlines"),
            maximum(r"^\d+ \s*\S", "code frames"),
        ),
        re.compile(r"^\S+\.[cm]?[jt]sx?(?:\(\d+,\d+\)|:\d+:\d+) ?[:-] (?:error|warning) TS\d+"),
    ),
    Family(
        "eslint",
        (("eslint",), ("stylelint",), ("prettier",), ("biome",), ("oxlint",)),
        (
            standard(r"potentially fixable with the `?--fix", "fix hints"),
            maximum(r"^\s+\d+:\d+\s+warning\s", "further warnings", shown=10),
            standard(r"^\S+ \d+ms(?: \(unchanged\))?$", "unchanged files"),
        ),
        re.compile(r"^\s+\d+:\d+\s+(?:error|warning)\s+.+\s{2}\S+$|^✖ \d+ problems?"),
    ),
    Family(
        "jest",
        (("jest",), ("vitest",), ("mocha",), ("ava",), ("node", "--test"), ("playwright",)),
        (
            lite(r"^\s*(?:✓|✔|√|ok \d+ )\s?", "passing tests"),
            lite(r"^PASS\s", "passing suites"),
            lite(r"^\s*(?:RUN|DEV)\s+v\d|^Determining test suites|^\s*[▶›❯]\s", "steps"),
            lite(
                r"^\s+(?:---|\.\.\.|duration_ms: .*|type: 'test'|# Subtest: .*)$|^# Subtest: |^TAP version",
                "TAP details",
            ),
            standard(r"^\s*(?:○|↓|- )\s?.*(?:skipped|todo)", "skipped tests", shown=3),
            standard(r"^Ran all test suites|^Start at|^\s*(?:Start at|Transform)\s", "footer"),
            standard(r"^\s*[^|]+\|\s+100 \|\s+100 \|\s+100 \|\s+100 \|\s*$", "fully covered files"),
        ),
        re.compile(r"^(?:PASS|FAIL)\s+\S+|^\s*[✓✔√✕×] .+|^Test (?:Suites|Files):?\s|^Tests:\s"),
    ),
    Family(
        "bundler",
        (("webpack",), ("vite",), ("rollup",), ("next",), ("ng",), ("turbo",), ("esbuild",)),
        (
            lite(
                r"^(?:transforming|rendering chunks|computing gzip size|<s> \[webpack"
                r"|\s*Creating an optimized|Collecting page data|Generating static pages)",
                "progress",
            ),
            lite(r"^(?:transforming|✓ \d+ modules transformed)", "progress"),
            standard(r"^\S*(?:dist|build)/\S+\s+[\d.,]+ [kM]?B", "emitted files", shown=8),
            standard(r"^asset \S+ [\d.]+ [KM]iB|^\s+\./\S+ [\d.]+ \w+ \[built\]", "emitted files", shown=8),
        ),
        re.compile(r"^vite v\d|^webpack \d+\.\d+|modules transformed\.$|^asset \S+ [\d.]+ [KM]iB"),
    ),
)
