"""mvn, gradle, sbt and dotnet."""

import re

from ctxsieve.terse.families.family import Family, lite, maximum, standard

__all__ = ["FAMILIES"]

FAMILIES = (
    Family(
        "mvn",
        (("mvn",), ("mvnw",), ("mvnd",)),
        (
            lite(r"^(?:\[INFO\] )?(?:Downloading|Downloaded) from |^Progress \(\d+\): ", "downloads"),
            lite(
                r"^\[INFO\]\s*$|^\[INFO\] -{10,}(?:< .* >-+)?(?:\[ \w+ \]-+)?$|^\[INFO\] Scanning for projects",
                "decoration",
            ),
            lite(r"^\[INFO\] --- \S+.* ---$", "plugin headers"),
            standard(
                r"^\[INFO\] (?:Nothing to compile|Changes detected|Copying \d+ resource"
                r"|Recompiling the module|skip non existing|Compiling \d+ source|Using '.*' encoding"
                r"|No sources to compile|No tests to run|Using auto detected provider|Loaded \d+ auto)",
                "build steps",
            ),
            standard(r"^\[INFO\] (?:Building jar|Installing |Deleting |Building \S+ .*\[\d+/\d+\])", "build steps"),
            standard(
                r"^\[INFO\] Running \S+$|^\[INFO\] Tests run: \d+, Failures: 0, Errors: 0.*(?:in"
                r"|--) ",
                "passing tests",
            ),
            standard(r"^\[INFO\] (?: T E S T S)", "headers"),
            standard(r"^\[INFO\] (?:Finished at:|\s+from pom\.xml)", "times"),
        ),
        re.compile(r"^\[INFO\] (?:Scanning for projects|BUILD|--- |-{10,}|Building )"),
    ),
    Family(
        "gradle",
        (("gradle",), ("gradlew",)),
        (
            lite(r"^> Task \S+(?: (?:UP-TO-DATE|NO-SOURCE|FROM-CACHE|SKIPPED))?$", "tasks"),
            lite(r"^<[=-]+> \d+% |^> (?:IDLE|Configure project)|^Download(?:ing)? https?://", "progress"),
            standard(
                r"^(?:Starting a Gradle Daemon|Welcome to Gradle|Here are the highlights"
                r"|Deprecated Gradle features|You can use '--warning-mode|For more on this, please refer"
                r"|To honour the JVM settings|Daemon will be stopped)",
                "advice",
            ),
            lite(r"^\S+ > .* PASSED$", "passing tests"),
        ),
        re.compile(r"^> Task :\S+|^BUILD (?:SUCCESSFUL|FAILED) in |^\d+ actionable tasks?"),
    ),
    Family(
        "sbt",
        (("sbt",), ("mill",)),
        (
            lite(
                r"^\[info\] (?:loading|resolving|Updating|Resolved|welcome to sbt|set current project"
                r"|compiling|done compiling|downloaded|Fetch)",
                "steps",
            ),
            lite(r"^\[info\] - .*(?<!FAILED \*\*\*)$", "passing tests"),
        ),
        re.compile(r"^\[(?:info|success)\] (?:loading|welcome to sbt|compiling|Total time)"),
    ),
    Family(
        "dotnet",
        (("dotnet",), ("msbuild",), ("nuget",)),
        (
            lite(
                r"^\s*(?:Determining projects to restore|All projects are up-to-date"
                r"|Restored .*\(in [\d.]+ m?s\)|MSBuild version|Restore complete|Copyright \(C\))",
                "restore",
            ),
            lite(r"^\s+Passed .* \[.*\d+ m?s\]$", "passing tests"),
            standard(r"^\s+\S+ -> \S+\.(?:dll|exe)$|^\s+\S+ (?:net\S+ )?succeeded \(", "built assemblies", shown=3),
            standard(
                r"^(?:VSTest version|Starting test execution|A total of \d+ test files matched|Microsoft \(R\) Test)",
                "headers",
            ),
            maximum(r"^\s+\d+ Warning\(s\)$|^Time Elapsed ", "counts"),
        ),
        re.compile(
            r"^\s*Determining projects to restore|^\s+\S+ -> \S+\.dll$|^Build succeeded|^\s+(?:Passed"
            r"|Failed) \S+ \[\d"
        ),
    ),
    Family(
        "ruby",
        (("bundle",), ("gem",), ("rspec",), ("composer",)),
        (
            lite(
                r"^(?:Fetching|Using|Installing|Downloading|Resolving dependencies|Fetching gem metadata"
                r"|  - (?:Downloading|Installing|Syncing|Locking)) ?",
                "packages",
            ),
            lite(
                r"^Bundle complete!|^Use `bundle info"
                r"|^\d+ installed gems? you directly depend on are looking for funding|^  Run `bundle fund",
                "advice",
            ),
            lite(r"^[.*]+$", "passing tests"),
        ),
        re.compile(r"^(?:Using|Installing|Fetching) \S+ \d+\.\d+"),
    ),
)
