"""Mutated texts against the scanner of references: what it reports must slice back, not overlap, and not take long."""

import random
import sys
import time

from ctxsieve.reasoning import CustomPattern, find_mentions, scan_references

SEEDS = [
    "fix src/main.py:12 and PR #55, see https://example.org/a_(b).",
    "```\n#1 https://github.com/o/r/pull/3\n```\n`#2` owner/repo#4 group/p!5 GH-6 issue 7 is",
    'File "a b/c.py", line 3; C:\\x\\y.rs src\\z.go(1,2) https://gitlab.com/a/b/-/issues/9#note',
    "&#39; color: #123456 C#7 v1.2#3 請修改src/main.py文件。 me@example.py git@host.org:o/r.git s3://b/k.json",
]
BITS = [
    "#", "!", "/", "\\", ":", ".", "(", ")", "`", "```\n", '"', "'", "@", "://", "https://", "PR ", "1", "0", "\n", " ",
    "-", "\x00", "\ud800", "\u202e", "é", "語", "🙂", "\u0661", "%2e", "[", "]", "{", "}", "&", ";", ",", "a" * 300,
    "/a" * 100,
]  # fmt: skip
CUSTOM = CustomPattern(ref_type="ticket", pattern=r"[A-Z]{2,5}-\d+")


def mutate(text: str, random_source: random.Random) -> str:
    """Return the text after up to eight insertions, deletions, repetitions and joins with other seeds."""
    for _ in range(random_source.randint(1, 8)):
        start = random_source.randint(0, len(text))
        end = min(len(text), start + random_source.randint(0, 12))
        choice = random_source.randrange(4)
        if choice == 0:
            text = text[:start] + random_source.choice(BITS) + text[start:]
        elif choice == 1:
            text = text[:start] + text[end:]
        elif choice == 2:
            text = text[:end] + text[start:end] * random_source.randint(1, 20) + text[end:]
        else:
            text = text[:start] + random_source.choice(SEEDS)[random_source.randint(0, 40) :]
    return text[:5000]


def check(text: str) -> None:
    """Raise AssertionError where the scanner breaks its promises."""
    start = time.thread_time()
    mentions = find_mentions(text, [CUSTOM])
    assert time.thread_time() - start < 2, f"slow on {text!r}"
    end = 0
    for mention in mentions:
        assert text[mention.start : mention.end] == mention.text != "", repr(text)
        assert mention.start >= end, repr(text)
        end = mention.end
    references = scan_references(text, [CUSTOM])
    assert len({(reference.ref_type, reference.key) for reference in references}) == len(references), repr(text)
    assert {reference.key for reference in references} == {mention.key for mention in mentions}, repr(text)


def fuzz(iterations: int, *, seed: int = 0) -> None:
    """Check that many mutated texts; the same seed gives the same texts."""
    random_source = random.Random(seed)
    pool = list(SEEDS)
    for _ in range(iterations):
        text = mutate(random_source.choice(pool), random_source)
        check(text)
        if random_source.random() < 0.02:
            pool = [*SEEDS, *pool[len(SEEDS) :][-200:], text]


if __name__ == "__main__":
    fuzz(int(sys.argv[1]), seed=int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    print(f"{sys.argv[1]} texts, no failure")
