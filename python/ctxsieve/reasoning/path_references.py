"""File paths in prose: bare, quoted and Windows paths, with or without line numbers."""

import re
from collections.abc import Iterator

from ctxsieve.reasoning.mentions import FILE, Mask, Reference

__all__ = ["find_paths", "normalise_path"]

MAX_PATH_CHARACTERS = 1024

# Extensions by which a name without a directory is a file; with a directory, any extension of two letters will do.
_EXTENSION_TEXT = """
    adoc asm astro avsc bash bat bazel bzl c cc cfg cjs clj cljs cmake cmd conf cpp cs csproj css csv cts cu cxx dart
    diff ejs el elm erl ex exs f90 fish fs fsx gemspec go gql gradle graphql groovy h hbs hcl heex hh hpp hrl hs htm
    html hxx ini ipynb j2 java jinja jl js json json5 jsonc jsonl jsx kt kts less lock log lua m make md mdx mjs mk
    ml mli mm mod mts nim nix org patch php pl plist pm po proto ps1 pug py pyi pyx r rake rb rkt rs rst s sass sbt
    scala scm scss sh snap sql sum svelte svg sv swift tex tf thrift tmpl toml ts tsv tsx txt v vb vhd vim vue wat
    xml xsd yaml yml zig zsh
"""
# Of these, words of prose (`p.m`) and of code (`django.conf`) are more often the end than files are, unless in quotes.
_AMBIGUOUS_TEXT = "cmd conf less lock log m make mod org po r s sum v"
_FILENAME_TEXT = """
    cargo.lock composer.lock gemfile.lock go.mod go.sum nginx.conf pipfile.lock poetry.lock uv.lock yarn.lock
    makefile dockerfile jenkinsfile vagrantfile gemfile rakefile procfile justfile containerfile brewfile codeowners
    .gitignore .gitattributes .gitmodules .editorconfig .dockerignore .prettierrc .eslintrc .babelrc .npmrc .nvmrc
    .env .flake8 .pylintrc .coveragerc .clang-format .mailmap
"""
# Products whose names look like files.
_PRODUCT_TEXT = """
    node.js vue.js next.js nuxt.js react.js express.js three.js d3.js ember.js backbone.js chart.js moment.js p5.js
    alpine.js angular.js require.js solid.js nest.js asp.net vb.net socket.io draw.io discord.js deno.js
"""
_COMMAND_TEXT = """
    bash bun cargo cat cd chmod cmake cp curl deno diff docker echo git go grep head jest less ls make mkdir mv mypy
    node npm npx perl php pip pnpm poetry pytest python python3 rm ruby ruff run sed sh sudo tail touch uv vi vim yarn
"""
_EXTENSIONS = frozenset(_EXTENSION_TEXT.split())
_AMBIGUOUS = frozenset(_AMBIGUOUS_TEXT.split())
_FILENAMES = frozenset(_FILENAME_TEXT.split())
_PRODUCTS = frozenset(_PRODUCT_TEXT.split())
_COMMANDS = frozenset(_COMMAND_TEXT.split())

_QUOTED = re.compile(r"\"([^\"\n]{1,1024})\"|(?<!\w)'([^'\n]{1,1024})'(?!\w)|`([^`\n]{1,1024})`")
_TOKEN = re.compile(
    r"[^\s\"'`<>()\[\]{}|,;*?!=…“”‘’«»\u3000-\u303f\uff00-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]+"
)
_PATH = re.compile(r"(?:[A-Za-z]:[\\/])?[^:#\\/]*(?:[\\/]+[^:#\\/]+)*")
_SUFFIX = re.compile(
    r":(?P<first>[1-9]\d{0,8})(?:-(?P<last>[1-9]\d{0,8})|:\d{1,9})?(?!\w)"
    r"|#L(?P<first_anchor>[1-9]\d{0,8})(?:C\d{1,9})?(?:-L?(?P<last_anchor>[1-9]\d{0,8})(?:C\d{1,9})?)?(?!\w)"
    r"|\((?P<first_bracket>[1-9]\d{0,8})(?:,\s?\d{1,9})?\)"
    r"|[\"'`],? line (?P<first_word>[1-9]\d{0,8})\b"
)
_EXTENSION = re.compile(r"\.([A-Za-z][A-Za-z0-9_]{0,15})$")
_VERSION = re.compile(r"[vV]?\d+(?:\.\d+)*")
_HOST = re.compile(r"(?i)(?:[a-z0-9-]{1,63}\.)+(?:com|org|net|io|dev|edu|gov|ai|app|co|uk|de|fr|eu|me|info)")
_UNSPACED = r"\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
_PROSE_BEFORE = re.compile(rf"[{_UNSPACED}]+(?=[A-Za-z0-9_.])")
_PROSE_AFTER = re.compile(rf"(?<=[A-Za-z0-9])[{_UNSPACED}][^\\/.]*$")


def find_paths(text: str, mask: Mask) -> Iterator[Reference]:
    """Yield mentions of files and claim them; directories, globs, products, versions and `and/or` are none."""
    for quoted in _QUOTED.finditer(text):
        group = quoted.lastindex or 1
        start, content = quoted.start(group), quoted[group]
        # A command in quotes names its files one by one, which the tokens below find.
        if " " in content and (group == 3 or content.split(" ", 1)[0].lower() in _COMMANDS):
            continue
        if (reference := _read_path(text, start, content, is_quoted=True)) is not None and mask.is_free(
            reference.start, reference.end
        ):
            mask.claim(reference.start, reference.end)
            yield reference
    for token in _TOKEN.finditer(text):
        if token.end() - token.start() > MAX_PATH_CHARACTERS:
            continue
        reference = _read_token(text, token.start(), token[0])
        if reference is not None and mask.is_free(reference.start, reference.end):
            mask.claim(reference.start, reference.end)
            yield reference


def _read_token(text: str, start: int, token: str) -> Reference | None:
    """Return the path that a run of path characters holds: after prose of a script without spaces, or `error:`."""
    if (prose := _PROSE_BEFORE.match(token)) is not None:
        return _read_path(text, start + prose.end(), token[prose.end() :])
    reference = _read_path(text, start, token)
    label, colon, rest = token.partition(":")
    if reference is None and colon and len(label) > 1 and not rest.startswith(("//", ":")):
        return _read_path(text, start + len(label) + 1, rest)
    return reference


def _read_path(text: str, start: int, candidate: str, *, is_quoted: bool = False) -> Reference | None:
    """Return the path at the beginning of the candidate, with the line numbers that follow it in the text."""
    found = _PATH.match(candidate)
    path = "" if found is None else _PROSE_AFTER.sub("", found[0]).rstrip(".:-")
    end = start + len(path)
    if text[end : end + 1] == "(" and not _SUFFIX.match(text, end):
        return None  # a call such as `os.path.join(`
    if not _is_file(path, is_quoted=is_quoted):
        return None
    values: dict[str, str | int] = {"path": normalise_path(path)}
    if (suffix := _SUFFIX.match(text, end)) is not None:
        numbers = {name.partition("_")[0]: int(number) for name, number in suffix.groupdict().items() if number}
        values["first_line"] = numbers["first"]
        values["last_line"] = max(numbers["first"], numbers.get("last", 0))
        end = suffix.end()
    return Reference(FILE, text[start:end], start, end, str(values["path"]), values)


def _is_file(path: str, *, is_quoted: bool) -> bool:
    parts = re.split(r"[\\/]+", path)
    name = parts[-1]
    if path.startswith("//") or any(character in '*?<>|"\t' for character in path):
        return False
    if len(parts) > 1 and _HOST.fullmatch(parts[0]):
        return False
    if name.lower() in _FILENAMES:
        return True
    found = _EXTENSION.search(name)
    if found is None or found.start() == 0 or _VERSION.fullmatch(name[: found.start()]):
        return False
    extension = found[1].lower()
    if len(parts) > 1:
        return len(extension) > 1 or extension in _EXTENSIONS
    if extension not in _EXTENSIONS or name.lower() in _PRODUCTS or "@" in name:
        return False
    # `A.B.C` and `e.g.h` are no sources of C.
    return is_quoted or not (extension in _AMBIGUOUS or (len(extension) == 1 and re.search(r"^.?\.|\..*\.", name)))


def normalise_path(path: str) -> str:
    """Return the path with `/`, without `.` and empty components; the jail refuses `..` and a leading `/`."""
    plain = path.replace("\\", "/")
    parts = [part for part in plain.split("/") if part not in ("", ".")]
    return ("/" if plain.startswith("/") else "") + "/".join(parts)
