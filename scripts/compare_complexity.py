"""Compare cyclomatic complexity with radon's (Python) and lizard's (C, C++, Java, JavaScript, Go) on real trees.

Functions are paired by file, name and line. Those whose definitions differ are left out (docs/smells.md): in Python the
`else` of loops and of `try`, and conditions in assertions and defaults; in the others functions with preprocessor lines
or with functions inside them. Printed are the pairs that differ; the exit code is 1 where too few agree.
"""

import argparse
import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import lizard
from radon.visitors import ComplexityVisitor

from ctxsieve.languages import language_of
from ctxsieve.smells.complexity import FunctionFigures, measure_files

LIZARD_LANGUAGES = frozenset({"c", "cpp", "java", "javascript", "go"})

# Functions without a name count to the function around them; lizard takes them for functions of their own.
_INNER_FUNCTION = re.compile(rb"\bfunction\b|=>|->|\bfunc\b")

Pair = tuple[str, str, int, int, int]


def python_pairs(path: Path, source: bytes) -> Iterator[Pair]:
    """Yield (path, name, line, ours, radon's) for each function that both count alike."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return
    nodes = {node.lineno: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
    theirs = {(block.name, block.lineno): block.complexity for block in _blocks(ComplexityVisitor.from_ast(tree))}
    language = language_of(path.name)
    assert language is not None
    for function in measure_files([source], language, threads=1)[0].functions:
        node = nodes.get(function.first_line)
        key = (function.name.rpartition(".")[2], _decorated_line(node) if node else 0)
        if node is not None and key in theirs and not _is_counted_otherwise(node):
            yield str(path), function.name, function.first_line, function.cyclomatic, theirs[key]


def _decorated_line(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


def _blocks(visitor: ComplexityVisitor) -> Iterator[object]:
    pending = [*visitor.functions, *visitor.classes]
    while pending:
        block = pending.pop()
        if hasattr(block, "methods"):
            pending += [*block.methods, *block.inner_classes]
        else:
            yield block
            pending += block.closures


def _is_counted_otherwise(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    loops = (ast.For, ast.AsyncFor, ast.While, ast.Try, ast.TryStar)
    if any(isinstance(inner, loops) and inner.orelse for inner in ast.walk(node)):
        return True
    unseen = [inner for inner in ast.walk(node) if isinstance(inner, ast.Assert)]
    unseen += [default for default in (*node.args.defaults, *node.args.kw_defaults) if default is not None]
    conditions = (ast.BoolOp, ast.IfExp, ast.comprehension)
    return any(isinstance(inner, conditions) for part in unseen for inner in ast.walk(part))


def lizard_pairs(path: Path, source: bytes) -> Iterator[Pair]:
    """Yield (path, name, line, ours, lizard's) for functions that both find at the same line."""
    language = language_of(path.name, source[:4096])
    if language is None or language.name not in LIZARD_LANGUAGES:
        return
    ours: dict[int, list[FunctionFigures]] = {}
    for function in measure_files([source], language, threads=1)[0].functions:
        ours.setdefault(function.first_line, []).append(function)
    lines = source.split(b"\n")
    for found in lizard.analyze_file.analyze_source_code(path.name, source.decode("utf-8", "replace")).function_list:
        candidates = ours.get(found.start_line, [])
        if len(candidates) != 1 or candidates[0].last_line != found.end_line:
            continue
        inside = lines[found.start_line - 1 : found.end_line]
        has_conditions = any(line.lstrip().startswith(b"#") for line in inside)
        if not has_conditions and not _INNER_FUNCTION.search(b"\n".join(inside), len(b"function")):
            function = candidates[0]
            yield str(path), function.name, found.start_line, function.cyclomatic, found.cyclomatic_complexity


def pairs_of(path: Path) -> Iterator[Pair]:
    """Yield the pairs of one file, whatever its language."""
    source = path.read_bytes()
    if path.suffix == ".py":
        yield from python_pairs(path, source)
    else:
        yield from lizard_pairs(path, source)


def main() -> int:
    """Print the comparison and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--sample", type=int, default=0, help="compare so many functions, evenly spread")
    parser.add_argument("--agree", type=float, default=0.995, help="the share that must agree")
    options = parser.parse_args()
    files = sorted(path for folder in options.folders for path in folder.rglob("*") if path.is_file())
    pairs = [pair for path in files for pair in pairs_of(path)]
    if options.sample and len(pairs) > options.sample:
        pairs = pairs[:: len(pairs) // options.sample][: options.sample]
    different = [pair for pair in pairs if pair[3] != pair[4]]
    for path, name, line, ours, theirs in different[:50]:
        print(f"{path}:{line} {name}: {ours}, not {theirs}")
    print(f"{len(pairs)} functions, {len(pairs) - len(different)} agree, {len(different)} differ")
    return 0 if len(pairs) - len(different) >= options.agree * len(pairs) else 1


if __name__ == "__main__":
    sys.exit(main())
