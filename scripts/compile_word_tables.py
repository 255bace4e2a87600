"""Compile the word tables of the intent from their TOML into the file that is read at run time."""

from ctxsieve.intent.vocabulary import COMPILED_PATH
from ctxsieve.intent.word_tables import compile_word_tables

if __name__ == "__main__":
    COMPILED_PATH.write_text(compile_word_tables(), "utf-8")
    print(f"{COMPILED_PATH.name}: {COMPILED_PATH.stat().st_size:,} bytes")
