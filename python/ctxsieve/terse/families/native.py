"""make, ninja, cmake, gcc and clang."""

import re

from ctxsieve.terse.families.family import Family, lite, maximum, standard

__all__ = ["FAMILIES"]

_STEP = lite(
    r"^\[\s*\d+(?:%|/\d+)\] (?:Building|Linking|Generating|Compiling|Automatic|Scanning|Install"
    r"|Copying)",
    "build steps",
)

_TARGETS = standard(r"^\[\s*\d+%\] Built target ", "built targets", shown=3)

FAMILIES = (
    Family(
        "make",
        (("make",), ("gmake",), ("ninja",), ("meson",), ("bazel",), ("bear",)),
        (
            lite(r"^g?make(?:\[\d+\])?: (?:Entering|Leaving) directory", "directories"),
            lite(
                r"^\s+(?:CC|CXX|LD|AR|AS|HOSTCC|HOSTLD|GEN|CHK|UPD|INSTALL|CCLD|RANLIB|OBJCOPY|STRIP|DESCEND"
                r"|SYNC|CALL|WRAP|HDRINST|MODPOST|LZO|KSYMS|LINK|\[M\])\s",
                "build steps",
            ),
            _STEP,
            _TARGETS,
            lite(r"^\[[\d,]+ / [\d,]+\] |^(?:Loading|Analyzing): ", "build steps"),
            standard(r"^g?make(?:\[\d+\])?: (?:Nothing to be done for|'.*' is up to date)", "nothing to do"),
            standard(
                r"^\s*(?:libtool: \w+:\s+)?(?:\S*/)?(?:gcc|cc|g\+\+|c\+\+|clang|clang\+\+|ar|ranlib|ld|rustc"
                r"|go build|javac)(?:-\d+)?\s+\S.*$",
                "compiler calls",
                shown=1,
            ),
            standard(
                r"^\s*/bin/(?:ba)?sh \S*libtool |^\s*(?:mkdir -p|rm -f|mv -f|install -[cdm]|cp -[rpf]+"
                r"|ln -s\S*|/usr/bin/install) ",
                "file commands",
                shown=2,
            ),
        ),
        re.compile(r"^g?make(?:\[\d+\])?: |^\[\d+/\d+\] "),
    ),
    Family(
        "cmake",
        (("cmake",), ("ctest",), ("configure",), ("autoreconf",)),
        (
            lite(
                r"^-- (?:Looking for|Check(?:ing)? (?:for|if|whether|size)|Detecting|Performing Test|Check size)",
                "checks",
            ),
            lite(r"^checking .*\.\.\. ", "checks"),
            standard(
                r"^-- (?:The \w+ compiler identification|Found |Configuring done"
                r"|Generating done)",
                "found tools",
            ),
            lite(r"^(?:Scanning dependencies|Consolidate compiler|Dependencies file|Dependee )", "build steps"),
            _STEP,
            _TARGETS,
            standard(r"^config\.status: creating |^configure: creating ", "created files"),
            lite(r"^\s*\d+/\d+ Test\s+#\d+: .*Passed", "passing tests"),
            lite(r"^\s+Start\s+\d+: ", "test starts"),
        ),
        re.compile(
            r"^-- (?:The \w+ compiler|Detecting|Performing Test|Configuring done|Looking for)"
            r"|^checking .*\.\.\. |^\[\s*\d+%\] "
        ),
    ),
    Family(
        "gcc",
        (("gcc",), ("g++",), ("cc",), ("c++",), ("clang",), ("clang++",), ("clang-tidy",)),
        (
            standard(r"^\s+from \S+:\d+[,:]$", "include stack", shown=3),
            maximum(r"^[\s|]*[~^][~^\s|]*$", "underlines"),
            maximum(r"^\d+ warnings? generated\.$|^Suppressed \d+ warnings", "counts"),
        ),
        re.compile(r"^\S+\.(?:c|cc|cpp|cxx|h|hpp|m|mm):\d+(?::\d+)?: (?:error|warning|note|fatal error): "),
    ),
)
