from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxsieve import Project
from ctxsieve.errors import InputError
from ctxsieve.overview import Overview, overview_mapping
from ctxsieve.overview.descriptions import describe_project
from ctxsieve.tokens import count_tokens
from project_trees import write_tree

FILES: dict[str, str | bytes] = {
    "README.md": "# Shop\n\n[![badge](x.svg)](y)\n\n"
    "The *shop* sells [things](http://x) that nobody needs. It is small.\n\n## Use\n",
    "pyproject.toml": '[project]\nname = "shop"\n[project.scripts]\nshop = "shop.cli:main"\n',
    "src/shop/__init__.py": "",
    "src/shop/__main__.py": "from shop.cli import main\n",
    "src/shop/cli.py": "from shop import orders, mail\n\ndef main(): ...\n",
    "src/shop/orders.py": "from shop import mail, prices\n\n\nclass Order:\n"
    "    def place_order(self, item, amount):\n        # a note\n        return amount\n\n"
    "    def cancel(self): ...\n\n\ndef _hidden(): ...\n",
    "src/shop/mail.py": "from shop import prices\n\n\ndef send_mail(order): ...\n",
    "src/shop/prices.py": "def price_of(item): ...\n\n\ndef round_price(price): ...\n",
    "tests/test_orders.py": "from shop import orders\n\n\ndef test_order(): ...\n",
    "tools/main.go": "package main\n\nfunc main() {}\n",
}


def project(root: Path, files: dict[str, str | bytes] | None = None) -> Project:
    write_tree(root / "shop", FILES if files is None else files)
    places = {"CTXSIEVE_CACHE_DIR": str(root / "cache"), "CTXSIEVE_STATE_DIR": str(root / "state")}
    return Project.open(root / "shop", environment=places)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Project:
    return project(tmp_path_factory.mktemp("overview"))


def test_overview_names_what_a_project_is_made_of(shop: Project) -> None:
    found = shop.overview()
    assert found.text.splitlines()[0] == "# shop: The shop sells things that nobody needs."
    facts = found.facts
    assert [one.language for one in facts.languages][:2] == ["python", "go"]
    assert facts.hubs[0].path == "src/shop/prices.py"
    assert [(one.path, one.reason) for one in facts.entry_points] == [
        ("src/shop/cli.py", "command shop"),
        ("src/shop/__main__.py", "python -m"),
        ("tools/main.go", "main"),
    ]
    assert found.outlines[0].path == "src/shop/prices.py"
    assert " class Order 4-9\n  def place_order(self,item,amount) 5-7\n" in found.text
    assert "_hidden" not in found.text


def test_task_brings_what_is_close_to_it_first(shop: Project) -> None:
    found = shop.overview("send mail for an order")
    assert found.text.index("## close to the task") < found.text.index("## languages")
    assert found.facts.related[0].path == "src/shop/mail.py"
    assert found.outlines[0].path == "src/shop/mail.py"


def test_task_without_a_match_is_said_so(shop: Project) -> None:
    found = shop.overview("quaternion xylophone")
    assert "No file matches the task" in found.text
    assert found.facts.related == ()
    assert found.outlines


@settings(max_examples=20, deadline=None)
@given(budget=st.integers(1, 1500), task=st.sampled_from(["", "cancel an order", "quaternion xylophone"]))
def test_budget_is_a_hard_bound_on_the_text(shop: Project, budget: int, task: str) -> None:
    found = shop.overview(task, budget_tokens=budget)
    assert found.tokens == count_tokens(found.text) <= budget


def test_larger_budgets_show_no_fewer_rows(shop: Project) -> None:
    sizes = [len(shop.overview(budget_tokens=budget).text.splitlines()) for budget in (50, 100, 200, 400, 800)]
    assert sizes == sorted(sizes)


def test_budget_below_one_is_refused(shop: Project) -> None:
    with pytest.raises(InputError, match="budget is 0 tokens"):
        shop.overview(budget_tokens=0)


def test_same_project_gives_the_same_bytes(shop: Project) -> None:
    first, second = shop.overview("cancel an order"), shop.overview("cancel an order")
    assert first.text == second.text
    assert overview_mapping(first) == overview_mapping(second)


def test_rows_that_repeat_each_other_are_shown_once(tmp_path: Path) -> None:
    rows = "def get_everything_from_the_remote_service(self, request): ...\n"
    files: dict[str, str | bytes] = {
        "a.py": f"import b, c\n\n\n{rows}",
        "b.py": f"import c\n\n\n{rows}",
        "c.py": f"{rows}\n\ndef price_of(item): ...\n",
    }
    found: Overview = project(tmp_path, files).overview()
    assert found.text.count("get_everything_from_the_remote_service") == 1


def test_repeats_and_spelling_follow_the_settings(tmp_path: Path) -> None:
    rows = "def get_everything_from_the_remote_service(self, request): ...\n"
    files: dict[str, str | bytes] = {
        "a.py": f"import b, c\n\n\n{rows}",
        "b.py": f"import c\n\n\n{rows}",
        "c.py": f"{rows}\n\ndef price_of(item): ...\n",
        "ctxsieve.toml": "[dedup]\nenabled = false\n[align]\nnotation = false\n",
    }
    found = project(tmp_path, files).overview()
    assert found.text.count("get_everything_from_the_remote_service(self, request)") == 2


def test_names_of_files_cannot_begin_a_line(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"a\n## hubs.py": "import b\n", "b.py": "x = 1\n", "c.py": "import b\n"}
    text = project(tmp_path, files).overview().text
    assert text.count("\n## hubs\n") == 1


def test_empty_project_has_an_overview(tmp_path: Path) -> None:
    found = project(tmp_path, {"empty.txt": ""}).overview()
    assert found.text.startswith("# shop\n1 files, 0 lines, 0 dependencies\n")


RESTRUCTURED = "====\nTool\n====\n\n.. image:: x.svg\n\nA `tool <http://x>`_ for\nmany things. More.\n"


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ({"README.rst": RESTRUCTURED}, "A tool for many things."),
        ({"README": "\n", "Cargo.toml": '[package]\ndescription = "Sorts all your socks."\n'}, "Sorts all your socks."),
        ({"package.json": '{"description": "Sorts <b>socks</b>"}'}, "Sorts socks"),
        ({"README.md": "# T\n\n```\ncode that is long enough to count\n```\n"}, ""),
        ({"package.json": "{"}, ""),
    ],
)
def test_description_is_the_first_sentence(tmp_path: Path, files: dict[str, str | bytes], sentence: str) -> None:
    assert describe_project(project(tmp_path, files).graph().index) == sentence
