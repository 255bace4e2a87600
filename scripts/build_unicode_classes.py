"""Write `rust/tokens/data/unicode_classes.bin`: the character class of every code point, as tiktoken's engine sees it.

The classes are asked from the regular expressions of the installed tiktoken, so that the Unicode version is the one
that its splitting rule uses. Format: 4,352 block numbers (one byte for every 256 code points), then the distinct
blocks, one byte per code point. A class is a bit: see `rust/tokens/src/classes.rs`.
"""

from pathlib import Path

import tiktoken

TARGET = Path(__file__).resolve().parents[1] / "rust/tokens/data/unicode_classes.bin"
UPPER, LOWER, CASELESS, MARK, NUMBER, SPACE, LINE_BREAK, OTHER = (1 << bit for bit in range(8))
PATTERNS = {
    r"[\p{Lu}\p{Lt}]": UPPER,
    r"\p{Ll}": LOWER,
    r"[\p{Lm}\p{Lo}]": CASELESS,
    r"\p{M}": MARK,
    r"\p{N}": NUMBER,
    r"[^\S\r\n]": SPACE,
    r"[\r\n]": LINE_BREAK,
}


def members(pattern: str, text: str) -> str:
    bytes_alone = {bytes([byte]): byte for byte in range(256)}
    encoding = tiktoken.Encoding("classes", pat_str=pattern, mergeable_ranks=bytes_alone, special_tokens={})
    return encoding.decode(encoding.encode_ordinary(text))


def main() -> None:
    text = "".join(chr(point) for point in range(0x110000) if not 0xD800 <= point < 0xE000)
    classes = bytearray([OTHER]) * 0x110000
    for pattern, bit in PATTERNS.items():
        for character in members(pattern, text):
            if classes[ord(character)] != OTHER:
                raise SystemExit(f"U+{ord(character):04X} is in two classes")
            classes[ord(character)] = bit
    blocks: dict[bytes, int] = {}
    index = bytes(
        blocks.setdefault(bytes(classes[start : start + 256]), len(blocks)) for start in range(0, 0x110000, 256)
    )
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_bytes(index + b"".join(blocks))
    print(f"{TARGET}: {len(blocks)} blocks, tiktoken {tiktoken.__version__}")


if __name__ == "__main__":
    main()
