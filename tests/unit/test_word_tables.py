from ctxsieve.intent.vocabulary import COMPILED_PATH, load_vocabulary
from ctxsieve.intent.word_tables import compile_word_tables


def test_the_compiled_tables_are_those_of_the_toml() -> None:
    assert COMPILED_PATH.read_text("utf-8") == compile_word_tables(), "run `python scripts/compile_word_tables.py`"


def test_a_word_has_its_readings() -> None:
    readings = {(sense.language, sense.section, sense.name) for sense in load_vocabulary().senses_of("fix")}
    assert ("en", "actions", "fix") in readings
