from fuzz.reference_scanner import fuzz


def test_sample_of_mutated_texts() -> None:
    fuzz(1500, seed=7)
