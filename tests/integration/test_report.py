"""The report, driven from the command line and looked at in a real browser where there is one."""

import itertools
import json
import os
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from browser import CHROMIUM, Browser
from ctxsieve import Project
from ctxsieve.graph import ProgressCallback, ProjectGraph
from ctxsieve.report.layout import lay_out
from integration.command import ctxsieve

TASK = "fix the <b>parser</b> when </script><script>window.hacked=1</script> is read"
HOSTILE = "src/</script><script>window.hacked=1<!--.py"
QUOTED = "src/\"quoted\" 'name' & <i>more<i>.py"


def make_project(root: Path) -> None:
    for package in ("parser", "store"):
        folder = root / "src" / package
        folder.mkdir(parents=True)
        (folder / "__init__.py").write_text("")
        (folder / "core.py").write_text("def read(text):\n    return text\n")
        for number in range(6):
            (folder / f"part{number}.py").write_text(
                f"from src.{package} import core\n\ndef use{number}(x):\n    return core.read(x)\n"
            )
    branches = "".join(f"    if x == {number}:\n        return '<b>' + y\n" for number in range(30))
    place = root / HOSTILE
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(f"from src.parser import core\n\ndef tangled(x, y):\n{branches}    return core.read(y)\n")
    (root / QUOTED).write_text("from src.store import core\n\nparser = core.read('</textarea>')\n")


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("report")
    root = home / "a <project> & more"
    make_project(root)
    done = ctxsieve("preload", TASK, "--path", root, "--consumer", "one <reader>", home=home)
    assert done.returncode == 0, done.stderr
    done = ctxsieve("report", TASK, "--path", root, "--output", home / "report.html", home=home)
    assert done.returncode == 0, done.stderr
    assert done.stdout == b""
    return home / "report.html"


class Elements(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def test_page_is_one_file_that_loads_nothing(page: Path) -> None:
    elements = Elements(page.read_text()).tags
    names = [name for name, _ in elements]
    assert not {"link", "img", "iframe", "object", "base", "form"} & set(names)
    assert names.count("script") == 2
    assert names.count("style") == 1
    for _, attributes in elements:
        assert not {"src", "srcset", "style", "onclick", "onload"} & set(attributes)
        assert (attributes.get("href") or "#").startswith("#")
    (policy,) = [a["content"] for name, a in elements if a.get("http-equiv") == "Content-Security-Policy"]
    assert policy is not None
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy


def test_text_of_the_repository_is_never_markup(page: Path) -> None:
    text = page.read_text()
    assert "<script>window.hacked" not in text
    assert "<b>" not in text
    embedded = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    assert embedded is not None
    paths = json.loads(embedded[1])["paths"]
    assert HOSTILE in paths
    assert QUOTED in paths


def test_same_project_gives_the_same_page(page: Path) -> None:
    root = page.parent / "a <project> & more"
    outputs = [ctxsieve("report", TASK, "--path", root, "--output", "-", home=page.parent).stdout for _ in range(2)]
    assert outputs[0] == outputs[1] == page.read_bytes()


def test_library_writes_it_without_a_task_and_without_records(tmp_path: Path) -> None:
    make_project(tmp_path / "tree")
    places = {"CTXSIEVE_CACHE_DIR": str(tmp_path / "cache"), "CTXSIEVE_STATE_DIR": str(tmp_path / "state")}
    text = Project.open(tmp_path / "tree", environment=places).report(maximum_files=5)
    assert "5 files and" in text
    assert "No task was given" in text
    assert text.count("Nothing is recorded yet") == 2
    assert not (tmp_path / "state").exists()


class GrowingProject(Project):
    """A project that somebody writes to whenever its graph has been made."""

    def graph(self, *, on_progress: ProgressCallback | None = None) -> ProjectGraph:
        graph = Project.graph(self, on_progress=on_progress)
        (self.root / "src" / "late_reader.py").write_text("def late_reader(text):\n    return text\n")
        return graph


def test_all_parts_of_a_page_speak_of_the_same_tree(tmp_path: Path) -> None:
    make_project(tmp_path / "project")
    environment = {"CTXSIEVE_CACHE_DIR": str(tmp_path / "cache"), "CTXSIEVE_STATE_DIR": str(tmp_path / "state")}
    project = GrowingProject.open(tmp_path / "project", environment=environment)
    task = "make the late reader faster"
    assert "late_reader.py" not in project.report(task)
    assert "late_reader.py" in project.report(task)


def test_empty_project_has_a_page_too(tmp_path: Path) -> None:
    (tmp_path / "tree").mkdir()
    done = ctxsieve("report", "--path", tmp_path / "tree", "--output", "-", home=tmp_path)
    assert done.returncode == 0, done.stderr
    assert b"0 files and 0 dependencies" in done.stdout


def test_report_that_cannot_be_written_is_bad_input(tmp_path: Path) -> None:
    done = ctxsieve("report", "--path", tmp_path, "--output", tmp_path / "no" / "such.html", home=tmp_path)
    assert done.returncode == 2
    assert b"such.html cannot be written" in done.stderr


def test_layout_is_stable_and_keeps_groups_apart() -> None:
    random = np.random.default_rng(7)
    sizes = [90, 40, 25, 12, 5, 3, 1]
    bounds = np.cumsum([0, *sizes])
    groups = [list(range(first, last)) for first, last in itertools.pairwise(bounds.tolist())]
    n = int(bounds[-1])
    sources, targets = random.integers(0, n, 500).tolist(), random.integers(0, n, 500).tolist()
    layout, again = (lay_out(groups, sources, targets, n) for _ in range(2))
    assert np.array_equal(layout.points, again.points)
    assert np.isfinite(layout.points).all()
    for number, circle in enumerate(layout.circles):
        distances = np.hypot(*(layout.points[groups[number]] - [circle.x, circle.y]).T)
        assert (distances <= circle.radius).all()
        for other in layout.circles[number + 1 :]:
            assert np.hypot(circle.x - other.x, circle.y - other.y) >= 0.97 * (circle.radius + other.radius)


needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    started = Browser(tmp_path_factory.mktemp("profile"))
    yield started
    started.close()


@needs_browser
def test_browser_loads_nothing_and_reports_no_problem(page: Path, browser: Browser) -> None:
    browser.open(page)
    assert browser.evaluate("document.getElementById('canvas').dataset.nodes") == "18"
    assert browser.evaluate("window.hacked === undefined")
    assert browser.evaluate("document.querySelector('h1').textContent") == "a <project> & more"
    assert browser.evaluate("document.querySelector('.task').textContent") == TASK
    assert browser.problems == []
    assert all(address.startswith(("file://", "about:")) for address in browser.requests)


@needs_browser
def test_search_and_keys_reach_every_file(page: Path, browser: Browser) -> None:
    browser.open(page)
    browser.evaluate("document.getElementById('canvas').focus()")
    browser.press("/")
    browser.type("window.HACKED")
    assert browser.evaluate("document.getElementById('hits').textContent") == "1 found"
    browser.press("Enter")
    assert browser.evaluate("document.querySelector('#detail h3').textContent") == HOSTILE
    assert "src/parser/core.py" in browser.evaluate("document.getElementById('detail').textContent")
    browser.press("Escape")
    assert browser.evaluate("document.activeElement.id") == "canvas"
    browser.press("Escape")
    assert browser.evaluate("document.getElementById('detail').hidden")
    seen = set()
    for _ in range(18):
        browser.press("n")
        seen.add(browser.evaluate("document.querySelector('#detail h3').textContent"))
    assert len(seen) == 18
    for key in ("ArrowLeft", "+", "-", "0"):
        browser.press(key)
    assert browser.problems == []


@needs_browser
def test_tables_can_be_sorted_and_hold_what_is_drawn(page: Path, browser: Browser) -> None:
    browser.open(page)
    assert browser.evaluate("document.querySelectorAll('#files-table tbody tr').length") == 18
    column = "[...document.querySelectorAll('#files-table tbody tr')].map(row => row.children[4].textContent)"
    for order in ("descending", "ascending"):
        browser.evaluate("document.querySelectorAll('#files-table th button')[4].click()")
        assert browser.evaluate("document.querySelectorAll('#files-table th')[4].ariaSort") == order
        numbers = list(map(int, browser.evaluate(column)))
        assert numbers == sorted(numbers, reverse=order == "descending")
    assert browser.evaluate("document.querySelectorAll('#budget-table tbody tr').length") >= 2
    assert browser.evaluate("document.querySelectorAll('#smells-table tbody tr').length") > 0
    assert browser.evaluate("document.querySelectorAll('#savings-table tbody tr').length") > 2
    assert "one <reader>" in browser.evaluate("document.getElementById('ledger-table').textContent")


@needs_browser
def test_every_control_and_picture_has_a_name(page: Path, browser: Browser) -> None:
    browser.open(page)
    unnamed = browser.evaluate(
        "[...document.querySelectorAll('input, button, canvas, svg')].filter(e => !(e.getAttribute('aria-label') "
        "|| e.closest('label') || e.textContent.trim())).map(e => e.outerHTML)"
    )
    assert unnamed == []
    assert browser.evaluate("document.documentElement.lang") == "en"
    assert browser.evaluate("document.documentElement.scrollWidth <= innerWidth")


@needs_browser
def test_both_colour_schemes_are_drawn(page: Path, browser: Browser) -> None:
    pictures = {}
    for scheme in ("light", "dark"):
        browser.wear(scheme)
        browser.open(page)
        ink, paper = browser.evaluate(
            "[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]"
        )
        brightness = [sum(map(int, re.findall(r"\d+", colour)[:3])) for colour in (ink, paper)]
        assert (brightness[0] < brightness[1]) == (scheme == "light")
        assert abs(brightness[0] - brightness[1]) > 400
        # Something besides the ground is painted.
        assert (
            browser.evaluate(
                "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => { const c = "
                "document.getElementById('canvas'); "
                "const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data; "
                "done(new Set(new Uint32Array(d.buffer)).size); })))"
            )
            > 20
        )
        pictures[scheme] = browser.picture()
    assert pictures["light"] != pictures["dark"]
    if folder := os.environ.get("CTXSIEVE_TEST_PICTURES"):
        for scheme, picture in pictures.items():
            (Path(folder) / f"report-{scheme}.png").write_bytes(picture)
