"""How much boilerplate does surprise remove, against character entropy, when both keep the same logic?

    python -m benches.python.boilerplate FOLDER...

Classes are defined by syntax-node kinds, before anything is measured:

- A line is *boilerplate* when all its tokens lie inside import, package or attribute nodes, or are keywords and
  punctuation only, or belong to a plain `return`, `break`, `continue` or `pass` of at most one name or literal.
- A line is *logic* when it is no boilerplate and an operator, comparison, augmented assignment, subscript, condition or
  lambda starts in it.
- Everything else (comments, headers, plain calls, data) is in neither class and is not counted.

A filter removes the lines whose score (surprise, or entropy) is below its threshold. For every share of logic tokens
kept, the threshold of each filter is the largest one that keeps that share; the table shows the boilerplate tokens that
it removes.

Entropy comes in two kinds: of the characters of a line by their distribution in that line, which is the usual
definition (it grows with the length of a line, up to the logarithm of the number of its characters), and the mean
bits of a character by the distribution in all lines of the language that are measured, the counterpart of surprise.
"""

import argparse
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import tree_sitter
from numpy.typing import NDArray
from tree_sitter_language_pack import get_parser

from ctxsieve.surprise import LineScores, score_lines
from ctxsieve.tokens import count_lines

EXTENSIONS = {".py": "python", ".js": "javascript", ".rs": "rust", ".go": "go", ".java": "java"}
FRAME = {
    "python": {"import_statement", "import_from_statement", "future_import_statement", "decorator"},
    "javascript": {"import_statement", "export_clause", "decorator"},
    "rust": {
        "use_declaration",
        "extern_crate_declaration",
        "attribute_item",
        "inner_attribute_item",
        "mod_item_header",
    },
    "go": {"package_clause", "import_declaration"},
    "java": {"package_declaration", "import_declaration", "marker_annotation", "annotation"},
}
PLAIN = {
    *("return_statement", "return_expression", "break_statement", "break_expression"),
    *("continue_statement", "continue_expression", "pass_statement"),
}
LOGIC = {
    *("binary_operator", "binary_expression", "boolean_operator", "comparison_operator", "not_operator"),
    *("unary_operator", "unary_expression", "augmented_assignment", "augmented_assignment_expression"),
    *("compound_assignment_expr", "update_expression", "inc_statement", "dec_statement", "subscript"),
    *("subscript_expression", "index_expression", "array_access", "conditional_expression", "ternary_expression"),
    *("lambda", "lambda_expression", "arrow_function", "closure_expression", "func_literal"),
    *("list_comprehension", "dictionary_comprehension", "set_comprehension", "generator_expression"),
    *("if_statement", "if_expression", "elif_clause", "while_statement", "while_expression", "for_statement"),
    *("for_expression", "for_in_statement", "enhanced_for_statement", "match_arm", "match_statement"),
}
COMMENTS = {"comment", "line_comment", "block_comment"}
KEPT_LOGIC = (0.99, 0.97, 0.95, 0.90, 0.85, 0.80)


@dataclass
class Line:
    tokens: int = 0
    framed: int = 0
    words: int = 0
    plain: bool = True
    plain_names: int = 0
    logic: bool = False
    comment: bool = False
    frames: set[int] = field(default_factory=set)

    def is_boilerplate(self) -> bool:
        if not self.tokens or self.comment:
            return False
        if self.framed == self.tokens or not self.words:
            return True
        return self.plain and self.plain_names <= 1

    def is_logic(self) -> bool:
        return self.logic and not self.is_boilerplate()


def classify(source: bytes, language: str) -> list[Line]:
    """Return what the lines of a file are made of."""
    lines = [Line() for _ in range(source.count(b"\n") + 1)]
    tree = get_parser(language).parse(source)
    waiting: list[tuple[tree_sitter.Node, bool, bool]] = [(tree.root_node, False, False)]
    while waiting:
        node, framed, plain = waiting.pop()
        line = lines[node.start_point[0]]
        if node.type in COMMENTS:
            for row in range(node.start_point[0], node.end_point[0] + 1):
                lines[row].comment = True
            continue
        if node.is_named and node.type in LOGIC:
            line.logic = True
        framed = framed or (node.is_named and node.type in FRAME[language])
        plain = plain or (node.is_named and node.type in PLAIN)
        if node.child_count and node.type not in ("string", "string_literal", "interpreted_string_literal"):
            waiting.extend((child, framed, plain) for child in node.children)
            continue
        line.tokens += 1
        line.framed += framed
        line.words += node.is_named
        line.plain_names += node.is_named and plain
        line.plain &= plain or node.type in (";", "{", "}")
    return lines


def stripped_lines(source: bytes) -> list[str]:
    return [line.strip() for line in source.decode("utf-8", "replace").split("\n")]


def corpus_entropies(source: bytes, frequencies: Counter[str]) -> NDArray[np.float64]:
    """Return the mean bits of the characters of every line, by their distribution in all lines."""
    total = frequencies.total()
    bits = {character: -math.log2(count / total) for character, count in frequencies.items()}
    lines = stripped_lines(source)
    return np.array([sum(bits[character] for character in line) / max(len(line), 1) for line in lines])


def character_entropies(source: bytes) -> NDArray[np.float64]:
    """Return Shannon's entropy of the characters of every line, in bits per character."""
    scores = []
    for line in stripped_lines(source):
        counts = Counter(line)
        total = counts.total()
        scores.append(-sum(count / total * math.log2(count / total) for count in counts.values()) if total else 0.0)
    return np.array(scores)


def files(folders: list[Path]) -> Iterator[tuple[str, bytes]]:
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            language = EXTENSIONS.get(path.suffix)
            if language and path.is_file() and ".min." not in path.name and path.stat().st_size < 1 << 19:
                yield language, path.read_bytes()


@dataclass
class Sample:
    """Scores and token counts of the lines of one class."""

    surprise: list[NDArray[np.float64]] = field(default_factory=list)
    entropy: list[NDArray[np.float64]] = field(default_factory=list)
    corpus_entropy: list[NDArray[np.float64]] = field(default_factory=list)
    tokens: list[NDArray[np.uint32]] = field(default_factory=list)

    def add(
        self,
        chosen: NDArray[np.bool_],
        surprise: NDArray[np.float64],
        entropy: NDArray[np.float64],
        corpus_entropy: NDArray[np.float64],
        tokens: NDArray[np.uint32],
    ) -> None:
        self.surprise.append(surprise[chosen])
        self.entropy.append(entropy[chosen])
        self.corpus_entropy.append(corpus_entropy[chosen])
        self.tokens.append(tokens[chosen])


def removed(boilerplate: Sample, logic: Sample, score: str, kept: float) -> float:
    """Return the share of boilerplate tokens below the largest threshold that keeps this share of logic tokens."""
    scores, tokens = np.concatenate(getattr(logic, score)), np.concatenate(logic.tokens)
    order = np.argsort(scores, kind="stable")
    lost = np.cumsum(tokens[order]) / tokens.sum()
    threshold = scores[order][np.searchsorted(lost, 1.0 - kept, side="right")]
    scores, tokens = np.concatenate(getattr(boilerplate, score)), np.concatenate(boilerplate.tokens)
    return float(tokens[scores < threshold].sum() / tokens.sum())


def score(scores: LineScores, name: str) -> NDArray[np.float64]:
    """Return the score of every line by which the surprise filter removes them."""
    match name:
        case "normalised":
            return scores.normalised
        case "bits":
            return scores.bits
        case _:
            return scores.bits * scores.tokens


def measure(folders: list[Path], name: str) -> dict[str, tuple[Sample, Sample]]:
    frequencies: dict[str, Counter[str]] = {}
    for language, source in files(folders):
        frequencies.setdefault(language, Counter()).update("".join(stripped_lines(source)))
    samples: dict[str, tuple[Sample, Sample]] = {}
    for language, source in files(folders):
        scores, tokens = score_lines(source), count_lines(source)
        surprise = score(scores, name)
        entropy = character_entropies(source)[: len(surprise)]
        corpus_entropy = corpus_entropies(source, frequencies[language])[: len(surprise)]
        lines = classify(source, language)[: len(surprise)]
        for sample, chosen in zip(
            samples.setdefault(language, (Sample(), Sample())),
            ([line.is_boilerplate() for line in lines], [line.is_logic() for line in lines]),
            strict=True,
        ):
            sample.add(np.array(chosen, dtype=bool), surprise, entropy, corpus_entropy, tokens)
    return samples


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument(
        "--score",
        default="normalised",
        choices=["normalised", "bits", "information"],
        help="information is the sum of bits of a line",
    )
    options = parser.parse_args()
    samples = measure(options.folders, options.score)
    print("language    logic kept  boilerplate removed: surprise  entropy   ratio  of the corpus   ratio   (tokens)")
    for language, (boilerplate, logic) in sorted(samples.items()):
        sizes = f"({sum(int(part.sum()) for part in boilerplate.tokens)} boilerplate, "
        sizes += f"{sum(int(part.sum()) for part in logic.tokens)} logic)"
        for kept in KEPT_LOGIC:
            ours, line, corpus = (
                removed(boilerplate, logic, score, kept) for score in ("surprise", "entropy", "corpus_entropy")
            )
            ratios = [ours / theirs if theirs else math.inf for theirs in (line, corpus)]
            print(
                f"{language:<12}{kept:10.0%}{ours:31.1%}{line:9.1%}{ratios[0]:8.2f}"
                f"{corpus:15.1%}{ratios[1]:8.2f}   {sizes}"
            )


if __name__ == "__main__":
    main()
