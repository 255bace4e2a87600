import json
from pathlib import Path
from typing import Any

import pytest

from ctxsieve import Project
from ctxsieve.errors import ConfigError, InputError
from ctxsieve.smells import (
    Level,
    Smell,
    SmellKind,
    SmellReport,
    smells_mapping,
    smells_markdown,
    smells_sarif,
    smells_text,
)
from project_trees import write_tree

DEEP = (
    "def deep(a):\n" + "".join(f"{'    ' * (level + 1)}if a[{level}]:\n" for level in range(6)) + f"{'    ' * 7}f()\n"
)
LONG = "def long(a):\n" + "".join(f"    x{number} = a + {number}\n" for number in range(70)) + "    return a\n"
BLOCK = "".join(f"    total{number} = rows[{number}] * prices[{number}]\n" for number in range(14))
FILES: dict[str, str | bytes] = {
    "shop/deep.py": DEEP,
    "shop/long.py": LONG,
    "shop/uses_long.py": "from shop.long import long\n",
    "shop/also_uses_long.py": "from shop.long import long\n",
    "shop/many.py": "def many(self, a, b, c, d, e, f, g, h): ...\n",
    "shop/one.py": f"import shop.two\n\ndef one(rows, prices):\n{BLOCK}",
    "shop/two.py": f"import shop.one\n\ndef two(rows, prices):\n{BLOCK}    return rows\n",
    "tests/test_deep.py": DEEP,
    "vendor/lib.py": DEEP,
}


def project(root: Path, files: dict[str, str | bytes]) -> Project:
    write_tree(root / "tree", files)
    places = {"CTXSIEVE_CACHE_DIR": str(root / "cache"), "CTXSIEVE_STATE_DIR": str(root / "state")}
    return Project.open(root / "tree", environment=places)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> SmellReport:
    return project(tmp_path_factory.mktemp("smells"), FILES).smells()


def by_kind(report: SmellReport, kind: SmellKind) -> list[Smell]:
    return [smell for smell in report.smells if smell.kind is kind]


def test_each_kind_is_found_where_it_is(report: SmellReport) -> None:
    places = {kind: [(one.place.path, one.symbol, one.value) for one in by_kind(report, kind)] for kind in SmellKind}
    assert places[SmellKind.NESTING] == [("shop/deep.py", "deep", 6)]
    assert places[SmellKind.COGNITIVE] == [("shop/deep.py", "deep", 21)]
    assert places[SmellKind.LONG_FUNCTION] == [("shop/long.py", "long", 72)]
    assert places[SmellKind.PARAMETERS] == [("shop/many.py", "many", 8)]
    assert places[SmellKind.CYCLE] == [("shop/one.py", "", 2)]
    (copies,) = by_kind(report, SmellKind.DUPLICATE)
    assert {copies.place.path, copies.related[0].path} == {"shop/one.py", "shop/two.py"}
    assert (copies.place.first_line, copies.place.last_line) == (4, 17)


def test_tests_and_vendored_files_are_held_back(report: SmellReport, tmp_path: Path) -> None:
    assert report.held_back == {"test": 1, "vendored": 1}
    everything = project(tmp_path, FILES).smells(with_everything=True)
    assert len(by_kind(everything, SmellKind.NESTING)) == 3
    assert everything.held_back == {}


def test_what_much_rests_on_is_more_severe(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"alone.py": LONG, "hub.py": LONG.replace("long", "hub")}
    files |= {f"user{number}.py": "import hub\n" for number in range(5)}
    smells = by_kind(project(tmp_path, files).smells(), SmellKind.LONG_FUNCTION)
    assert [smell.place.path for smell in smells] == ["hub.py", "alone.py"]
    assert smells[0].severity > 2 * smells[1].severity


def test_most_severe_comes_first_and_levels_follow(report: SmellReport) -> None:
    severities = [smell.severity for smell in report.smells]
    assert severities == sorted(severities, reverse=True)
    for smell in report.smells:
        expected = Level.ERROR if smell.severity >= 4 else Level.WARNING if smell.severity >= 2 else Level.NOTE
        assert smell.level is expected


def test_second_run_parses_only_what_changed(tmp_path: Path) -> None:
    opened = project(tmp_path, FILES)
    first, second = opened.smells(), opened.smells()
    assert (first.measured, second.measured) == (7, 0)
    assert first.smells == second.smells
    write_tree(tmp_path / "tree", {"shop/long.py": "def long(a): ...\n"})
    third = opened.smells()
    assert third.measured == 1
    assert by_kind(third, SmellKind.LONG_FUNCTION) == []


@pytest.mark.parametrize("damage", [b"", b"CTXSMEL1", b"CTXSMEL1" + bytes(100)])
def test_damaged_memory_is_measured_again(tmp_path: Path, damage: bytes) -> None:
    opened = project(tmp_path, FILES)
    first = opened.smells()
    (opened.directories.cache / "smells.bin").write_bytes(damage)
    second = opened.smells()
    assert (second.measured, second.smells) == (7, first.smells)


def test_paths_leave_other_findings_out(report: SmellReport, tmp_path: Path) -> None:
    opened = project(tmp_path, FILES)
    assert {one.place.path for one in opened.smells(["shop/deep.py"]).smells} == {"shop/deep.py"}
    assert opened.smells(["shop/"]).smells == report.smells
    assert {one.place.path for one in opened.smells(["*/l*.py"]).smells} == {"shop/long.py"}
    with pytest.raises(InputError, match="'nowhere': no file of the project fits it"):
        opened.smells(["nowhere"])


def test_thresholds_are_settings_and_unknown_keys_are_errors(tmp_path: Path) -> None:
    settings = "[smells]\nfunction_lines = 80\nnesting = 0\ncognitive = 0\n"
    smells = project(tmp_path, {**FILES, "ctxsieve.toml": settings}).smells()
    assert by_kind(smells, SmellKind.LONG_FUNCTION) == by_kind(smells, SmellKind.NESTING) == []
    with pytest.raises(ConfigError, match=r"unknown key 'smells\.function_line'"):
        project(tmp_path / "other", {"a.py": "", "ctxsieve.toml": "[smells]\nfunction_line = 80\n"})
    with pytest.raises(ConfigError, match="nesting is -1: it must be 0 or more"):
        project(tmp_path / "third", {"a.py": "", "ctxsieve.toml": "[smells]\nnesting = -1\n"})


APPLICATION: dict[str, str | bytes] = {
    "app.py": "from tools import used_name\n\nused_name()\n",
    "tools.py": "from web import route\n\n\ndef used_name(): ...\n\n\ndef forgotten_name(): ...\n\n\n"
    "@route\ndef decorated_name(): ...\n\n\ndef _private_name(): ...\n\n\n"
    "def named_in_text(): ...\n\n\ndef defined_twice(): ...\n",
    "web.py": "def route(function): ...\n\n\ndef defined_twice(): ...\n",
    "notes.md": "Call `named_in_text` by hand.\n",
    "script.py": "def never_imported_file(): ...\n",
}


def test_unused_exports_are_names_that_nothing_mentions(tmp_path: Path) -> None:
    (found,) = by_kind(project(tmp_path, APPLICATION).smells(), SmellKind.UNUSED)
    assert (found.place.path, found.symbol, found.confidence) == ("tools.py", "forgotten_name", "high")


def test_public_names_of_a_library_are_not_reported(tmp_path: Path) -> None:
    library: dict[str, str | bytes] = {**APPLICATION, "pyproject.toml": '[project]\nname = "shop"\n'}
    assert by_kind(project(tmp_path, library).smells(), SmellKind.UNUSED) == []
    asked = {**library, "ctxsieve.toml": '[smells]\nunused_confidence = "low"\n'}
    (found,) = by_kind(project(tmp_path / "asked", asked).smells(), SmellKind.UNUSED)
    assert (found.symbol, found.confidence) == ("forgotten_name", "low")


def test_cycles_that_a_language_expects_are_none(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "Cargo.toml": '[package]\nname = "shop"\n',
        "src/lib.rs": "mod order;\nuse order::Order;\npub struct Shop(Order);\n",
        "src/order.rs": "use crate::Shop;\npub struct Order(Option<Box<Shop>>);\n",
    }
    assert by_kind(project(tmp_path, files).smells(), SmellKind.CYCLE) == []


LATE: dict[str, str | bytes] = {
    "one.py": "import two\n\ndef one(): ...\n",
    "two.py": "def two():\n    import one\n",
    "three.py": "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    import four\n",
    "four.py": "import three\n",
    "web/a.ts": 'import { b } from "./b"\nexport const a = b\n',
    "web/b.ts": 'import type { A } from "./a"\nexport const b = 1\n',
    "web/c.ts": 'import { d } from "./d"\nexport type C = 1\n',
    "web/d.ts": 'import { type C,\n  type C as E } from "./c"\nexport const d = 1\n',
}


def test_imports_that_do_not_run_on_loading_make_no_cycle(tmp_path: Path) -> None:
    opened = project(tmp_path, LATE)
    assert len(opened.cycles()) == 4
    assert by_kind(opened.smells(), SmellKind.CYCLE) == []
    loaded: dict[str, str | bytes] = {
        **LATE,
        "two.py": "import one\n",
        "web/b.ts": 'import { type A, a } from "./a"\nexport const b = a\n',
    }
    found = by_kind(project(tmp_path / "loaded", loaded).smells(), SmellKind.CYCLE)
    assert {smell.place.path for smell in found} == {"one.py", "web/a.ts"}


def test_texts_hold_one_line_per_place(report: SmellReport) -> None:
    text = smells_text(report)
    rows = text.splitlines()
    assert len(rows) - 1 < len(report.smells), "several findings stand in one row"
    measured = f"{len(report.smells)} smells at {len(rows) - 1} places; {report.files} files measured ("
    assert rows[0].startswith(measured)
    (line,) = [line for line in text.splitlines() if "shop/deep.py" in line]
    assert "nested 6 deep (at most 4)" in line
    assert "cognitive complexity 21 (at most 15)" in line
    assert smells_text(report, limit=1).splitlines()[-1].startswith("... ")
    assert smells_markdown(report).count("\n| ") >= 5


def test_sarif_log_has_what_the_standard_requires(report: SmellReport) -> None:
    log: Any = json.loads(smells_sarif(report, version="1.2.3"))
    assert log["version"] == "2.1.0"
    assert log["$schema"].endswith("sarif-schema-2.1.0.json")
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert (driver["name"], driver["semanticVersion"]) == ("ctxsieve", "1.2.3")
    rules = [rule["id"] for rule in driver["rules"]]
    assert len(set(rules)) == len(rules) == len(SmellKind)
    assert len(run["results"]) == len(report.smells)
    for result in run["results"]:
        check_result(result, rules, set(run["originalUriBaseIds"]))


def check_result(result: Any, rules: list[str], bases: set[str]) -> None:
    """Check the fields that SARIF 2.1.0 (3.27) defines."""
    assert rules[result["ruleIndex"]] == result["ruleId"]
    assert result["level"] in ("none", "note", "warning", "error")
    assert result["message"]["text"]
    assert -1.0 <= result["rank"] <= 100.0
    assert all(isinstance(value, str) for value in result["partialFingerprints"].values())
    locations = result["locations"] + result.get("relatedLocations", [])
    assert len({one["id"] for one in result.get("relatedLocations", [])}) == len(result.get("relatedLocations", []))
    for location in locations:
        physical = location["physicalLocation"]
        assert not physical["artifactLocation"]["uri"].startswith("/")
        assert physical["artifactLocation"]["uriBaseId"] in bases
        assert 1 <= physical["region"]["startLine"] <= physical["region"]["endLine"]


def test_sarif_spells_paths_as_uris(tmp_path: Path) -> None:
    found = project(tmp_path, {"a b/c:d%é.py": DEEP}).smells()
    log: Any = json.loads(smells_sarif(found, version="1"))
    uri = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri == "a%20b/c%3Ad%25%C3%A9.py"


def test_mapping_counts_what_it_leaves_out(report: SmellReport) -> None:
    found: Any = smells_mapping(report, limit=1)
    assert (len(found["smells"]), found["found"]) == (1, len(report.smells))


def test_empty_project_has_no_smells(tmp_path: Path) -> None:
    found = project(tmp_path, {"README.md": "# Shop\n"}).smells()
    assert (found.smells, found.files) == ((), 0)
    assert json.loads(smells_sarif(found, version="1"))["runs"][0]["results"] == []
