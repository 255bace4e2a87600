"""ps, systemctl, journalctl, apt, curl, wget and terminal progress of any program."""

import re

from ctxsieve.terse.families.family import Family, lite, maximum, standard

__all__ = ["ANY_COMMAND", "FAMILIES"]

_METER = r"^\s*\d{1,3}\s+[\d.]+[kMGT]?\s+\d{1,3}\s+[\d.]+[kMGT]?\s.*(?:--:--:--|\d+:\d{2}:\d{2})"

FAMILIES = (
    Family(
        "ps",
        (("ps",), ("top",), ("htop",)),
        (
            standard(r"\s\[[\w/:.+-]+(?:[-/][\w:.+-]+)*\](?:\s<defunct>)?$", "kernel threads"),
            maximum(r"^\S+\s+\d+\s+0\.0\s+0\.0\s", "idle processes", shown=8),
        ),
        re.compile(r"^\s*(?:USER|UID|PID)\s+(?:PID|PPID|TTY|USER)\b"),
    ),
    Family(
        "systemctl",
        (("systemctl",), ("service",)),
        (
            standard(r"^\s*\S+\.\w+\s+loaded\s+active\s+\S+", "active units", shown=3),
            standard(r"^\s*\S+\.\w+\s+(?:enabled|static|generated|alias|indirect|transient)\s", "unit files", shown=5),
            lite(r"^(?:LOAD|ACTIVE|SUB)\s+(?:=|→) |^To show all installed unit files|^Pass --all to see", "legend"),
            standard(r"^\s+(?:Docs|Tasks|CPU|TriggeredBy|Drop-In|CGroup):|^\s+(?:├─|└─|man:|http)", "details"),
        ),
        re.compile(r"^\s*UNIT\s+(?:LOAD|FILE|STATE)|^\s+Loaded: loaded \(|^\s+Active: "),
    ),
    Family(
        "journalctl",
        (("journalctl",), ("dmesg",), ("docker", "logs"), ("kubectl", "logs")),
        (
            lite(r"^-- (?:Logs begin|Boot|Journal begins|No entries)", "headers"),
            standard(
                r"\ssystemd(?:\[\d+\])?: (?:Starting|Started|Stopping|Stopped|Finished|Reached target"
                r"|Stopped target|Created slice|Removed slice|Listening on|Closed|Mounting|Mounted|Unmounting"
                r"|Unmounted|Activating|Activated|\S+: (?:Deactivated|Succeeded|Consumed))",
                "unit messages",
                shown=5,
            ),
            standard(r"\sCRON\[\d+\]: |\s(?:CRON|sshd|sudo|su|login)\S*: pam_unix", "session messages", shown=3),
            maximum(r"\s(?:DEBUG|TRACE)\b", "debug messages", shown=5),
        ),
        re.compile(r"^[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \S+ \S+: "),
    ),
    Family(
        "apt",
        (("apt",), ("apt-get",), ("aptitude",), ("dpkg",), ("yum",), ("dnf",), ("apk",), ("brew",)),
        (
            lite(r"^(?:Get|Hit|Ign|Hit):\d+ |^(?:Hit|Ign|Get) https?:|^fetch https?://", "downloads"),
            lite(
                r"^(?:Reading package lists|Building dependency tree|Reading state information|Fetched [\d.]+"
                r"|Need to get 0|Selecting previously unselected|Preparing to unpack|Unpacking |Setting up "
                r"|Processing triggers|\(Reading database|debconf: |update-alternatives: |Scanning processes"
                r"|WARNING: apt does not|Extracting templates|Preconfiguring)",
                "package steps",
            ),
            lite(
                r"^\s*(?:Downloading|Verifying|Installing|Upgrading|Cleanup|Preparing"
                r"|Running scriptlet)\s*:?\s.*\d+/\d+|^\(\d+/\d+\) (?:Installing|Upgrading|Purging)",
                "package steps",
            ),
            lite(
                r"^==> (?:Fetching|Downloading|Pouring|Auto-updat)|^(?:No (?:services|containers"
                r"|user sessions|VM guests) need|Restarting services)",
                "package steps",
            ),
            standard(r"^\S+/\S+ \S+ \S+ \[installed", "installed packages", shown=10),
        ),
        re.compile(
            r"^(?:Get|Hit|Ign):\d+ |^(?:Reading package lists|Building dependency tree|Setting up \S+ \("
            r"|Unpacking \S+ )"
        ),
    ),
    Family(
        "curl",
        (("curl",), ("wget",), ("http",), ("aria2c",)),
        (
            lite(r"^\s*% Total\s+% Received|^\s+Dload\s+Upload", "meter"),
            lite(_METER, "meter"),
            lite(r"^\s*\d+[KM]?[ .]{10,}\s*\d+%|^\s*\d+K [. ]+", "meter"),
            lite(r"^\S+\s+\d+%\[[=> ]*\]", "meter"),
            lite(
                r"^[{}] \[\d+ bytes data\]|^\* (?:TLSv|ALPN|Server certificate|\s|Connected to|Trying "
                r"|Using HTTP|h2h3|Connection #0|Mark bundle|upload completely|SSL connection|CAfile|CApath"
                r"|successfully set|old SSL|TCP_NODELAY|Request completely|\[HTTP/2\]|using HTTP|Host )",
                "connection details",
            ),
            maximum(
                r"^[<>] (?!HTTP/|(?i:location|content-type|status|www-authenticate|retry-after|set-cookie"
                r"|authorization)\b)[\w-]+: ",
                "headers",
            ),
        ),
        re.compile(rf"{_METER}|^\* (?:Connected to|TLSv|ALPN)|^[<>] \S+: "),
    ),
)

# Progress looks alike whoever prints it.
ANY_COMMAND = Family(
    "progress",
    (),
    (
        lite(
            r"^.{0,60}[\[(|]\s*[#=>█▏▎▍▌▋▊▉━╸╺·.\-─░▒▓\s]{3,}\s*[\])|].{0,60}\d{1,3}(?:\.\d+)?\s?%"
            r"|^.{0,40}\d{1,3}(?:\.\d+)?\s?%\s?[\[(|]\s*[#=>█▏▎▍▌▋▊▉━╸╺·.\-─░▒▓\s]{3,}[\])|]",
            "progress",
        ),
        lite(r"^.{0,60}\s\d{1,3}(?:\.\d+)?%(?:\s+(?:complete|done|finished))?\.{0,3}$", "progress"),
        lite(r"^\s*[⠁-⣿◐◓◑◒]\s", "progress"),
        standard(
            r"^\s+at /rustc/[0-9a-f]+/|^\s+\d+:\s+(?:0x[0-9a-f]+ - )?<?(?:core|std|alloc|test"
            r"|__?rust\w*)(?:::| )",
            "library frames",
        ),
        standard(r"^\s+at .*(?:\(node:|node:internal/|[/\\]node_modules[/\\])", "library frames"),
        standard(
            r"^\s+at (?:java\.|javax\.|jdk\.|sun\.|org\.junit\.|org\.apache\.maven\.|org\.gradle\.|kotlin\."
            r"|scala\.)",
            "library frames",
        ),
        standard(r"^\s+at (?:System|Microsoft|Xunit|NUnit)\.", "library frames"),
        standard(
            r'^\s+File ".*[/\\](?:site-packages|dist-packages|lib[/\\]python3\.\d+)[/\\].*", line \d+', "library frames"
        ),
    ),
)
