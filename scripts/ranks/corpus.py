"""The files of the corpus: members of the packages' archives, by language, each content once."""

import hashlib
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

LANGUAGES = {
    "Python": ("py", "pyi"),
    "JavaScript": ("js", "mjs", "cjs", "jsx"),
    "TypeScript": ("ts", "mts", "cts"),
    "TSX": ("tsx",),
    "Rust": ("rs",),
    "Go": ("go",),
    "Java": ("java",),
    "C": ("c", "h"),
    "C++": ("cc", "cpp", "cxx", "hpp", "hh"),
    "C#": ("cs",),
    "Ruby": ("rb", "rake", "gemspec"),
    "PHP": ("php", "inc"),
    "Kotlin": ("kt", "kts"),
    "Swift": ("swift",),
    "Scala": ("scala",),
    "Shell": ("sh", "bash", "bats"),
    "Lua": ("lua",),
    "Elixir": ("ex", "exs"),
    "Erlang": ("erl", "hrl"),
    "Haskell": ("hs",),
    "OCaml": ("ml", "mli"),
    "R": ("R", "r", "Rd"),
    "Perl": ("pl", "pm", "t"),
    "Objective-C": ("m", "mm"),
    "Lisp": ("el", "lisp", "scm"),
    "Vim script": ("vim",),
    "HTML": ("html", "vue", "svelte"),
    "CSS": ("css", "scss", "less"),
    "SQL": ("sql",),
    "Build": ("cmake", "gradle", "mk", "am", "ac", "toml", "proto", "graphql"),
    "YAML": ("yml", "yaml"),
    "Markdown": ("md", "rst"),
}
LANGUAGE_OF = {extension: language for language, extensions in LANGUAGES.items() for extension in extensions}
BYTES_PER_LANGUAGE = 16 << 20
# No package speaks for a language alone, unless hardly another one is to be had.
BYTES_PER_PACKAGE = 4 << 20
SOLE_SOURCES = {"bash-completion", "elixir-lang", "emacs", "erlang", "git", "mono", "neovim", "ocaml", "r-base"}
BYTES_PER_FILE = 1 << 20
# A few long lines mean generated or minified text; nobody reads it line by line.
MEAN_LINE_BYTES = 200


def members(archive: Path) -> Iterator[tuple[str, bytes]]:
    """Yield name and content of the files of an archive or folder whose language is in the table."""
    if archive.is_dir():
        for path in sorted(archive.rglob("*")):
            if path.is_file() and wanted(path.name, path.stat().st_size):
                yield str(path.relative_to(archive)), path.read_bytes()
    elif zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as opened:
            for entry in opened.infolist():
                if wanted(entry.filename, entry.file_size):
                    yield entry.filename, opened.read(entry)
    else:
        with tarfile.open(archive) as opened:
            for member in opened:
                if member.isfile() and wanted(member.name, member.size):
                    stream = opened.extractfile(member)
                    if stream is not None:
                        yield member.name, stream.read()


def wanted(name: str, size: int) -> bool:
    return language_of(name) is not None and 0 < size <= BYTES_PER_FILE and ".min." not in name


def language_of(name: str) -> str | None:
    return LANGUAGE_OF.get(PurePosixPath(name).suffix.removeprefix("."))


def is_written_by_people(content: bytes) -> bool:
    return b"\0" not in content and len(content) / (content.count(b"\n") + 1) <= MEAN_LINE_BYTES


class Corpus:
    """Hands out files until a language has its share; keeps what was taken for the record."""

    def __init__(self) -> None:
        self.bytes_by_language = dict.fromkeys(LANGUAGES, 0)
        self._seen: set[bytes] = set()

    def take(self, package: str, archive: Path) -> Iterator[bytes]:
        share = BYTES_PER_LANGUAGE if package in SOLE_SOURCES else BYTES_PER_PACKAGE
        limits = {
            language: min(taken + share, BYTES_PER_LANGUAGE) for language, taken in self.bytes_by_language.items()
        }
        for name, content in members(archive):
            language = language_of(name)
            digest = hashlib.sha256(content).digest()
            if language is None or digest in self._seen or not is_written_by_people(content):
                continue
            if self.bytes_by_language[language] + len(content) > limits[language]:
                continue
            self._seen.add(digest)
            self.bytes_by_language[language] += len(content)
            yield content
