"""The same two functions in every language: the same figures.

`branch` loops over its first parameter, and inside it an if with `and`, an else if with `or`, and an else:
cyclomatic 1 + loop + if + and + else if + or = 6, cognitive loop 1 + if 2 + and 1 + else if 1 + or 1 + else 1 = 7.
`choose` is a switch of three cases and a default: cyclomatic 1 + 3, cognitive 1.
"""

import pytest

from ctxsieve.languages import LANGUAGES
from ctxsieve.smells import measure_files

C_LIKE = """
int branch(int a, int b) {
    for (int x = 0; x < a; x++) {
        if (x && b) { f(); }
        else if (x || b) { g(); }
        else { h(); }
    }
    return 0;
}

int choose(int x) {
    switch (x) {
        case 1: return f();
        case 2: return g();
        case 3: return h();
        default: return 0;
    }
}
"""
CLASS = C_LIKE.replace("\n", "\n    ")
JAVASCRIPT = C_LIKE.replace("int branch(int a, int b)", "function branch(a, b)").replace(
    "int choose(int x)", "const choose = (x) =>"
).replace("int x = 0", "let x = 0")  # fmt: skip
SOURCES = {
    "python": """
def branch(a, b):
    for x in a:
        if x and b:
            f()
        elif x or b:
            g()
        else:
            h()

def choose(x):
    match x:
        case 1:
            return f()
        case 2:
            return g()
        case 3:
            return h()
        case _:
            return 0
""",
    "javascript": JAVASCRIPT,
    "typescript": JAVASCRIPT.replace("(a, b)", "(a: number, b?: number): void").replace("(x) =>", "(x: number) =>"),
    "tsx": JAVASCRIPT.replace("(a, b)", "(a: number, b?: number): void").replace("(x) =>", "(x: number) =>"),
    "rust": """
fn branch(a: Vec<bool>, b: bool) {
    for x in a {
        if x && b { f() }
        else if x || b { g() }
        else { h() }
    }
}

fn choose(x: i32) -> i32 {
    match x {
        1 => f(),
        2 => g(),
        3 => h(),
        _ => 0,
    }
}
""",
    "go": """
package main

func branch(a, b int) {
    for x := range a {
        if x && b { f() } else if x || b { g() } else { h() }
    }
}

func choose(x int) int {
    switch x {
    case 1: return f()
    case 2: return g()
    case 3: return h()
    default: return 0
    }
}
""",
    "java": f"class Shop {{{CLASS}}}",
    "c": C_LIKE,
    "cpp": C_LIKE,
    "csharp": f"class Shop {{{CLASS}}}",
    "ruby": """
def branch(a, b)
  for x in a
    if x && b
      f
    elsif x || b
      g
    else
      h
    end
  end
end

def choose(x)
  case x
  when 1 then f
  when 2 then g
  when 3 then h
  else 0
  end
end
""",
    "php": "<?php\n"
    + C_LIKE.replace("int branch(int a, int b)", "function branch($a, $b)")
    .replace("int choose(int x)", "function choose($x)")
    .replace("int x = 0; x < a; x++", "$x = 0; $x < $a; $x++")
    .replace("(x)", "($x)")
    .replace("(x &&", "($x &&"),
    "kotlin": """
fun branch(a: List<Boolean>, b: Boolean) {
    for (x in a) {
        if (x && b) { f() }
        else if (x || b) { g() }
        else { h() }
    }
}

fun choose(x: Int): Int {
    return when (x) {
        1 -> f()
        2 -> g()
        3 -> h()
        else -> 0
    }
}
""",
    "swift": """
func branch(a: [Bool], b: Bool) {
    for x in a {
        if x && b { f() }
        else if x || b { g() }
        else { h() }
    }
}

func choose(x: Int) -> Int {
    switch x {
    case 1: return f()
    case 2: return g()
    case 3: return h()
    default: return 0
    }
}
""",
    "scala": """
def branch(a: List[Boolean], b: Boolean) = {
  for (x <- a) {
    if (x && b) { f() }
    else if (x || b) { g() }
    else { h() }
  }
}

def choose(x: Int) = x match {
  case 1 => f()
  case 2 => g()
  case 3 => h()
  case _ => 0
}
""",
    "bash": """
branch() {
    for x in "$@"; do
        if f && g; then
            f
        elif f || g; then
            g
        else
            h
        fi
    done
}

choose() {
    case "$1" in
        1) f ;;
        2) g ;;
        3) h ;;
    esac
}
""",
    "lua": """
function branch(a, b)
  for x = 1, a do
    if x and b then
      f()
    elseif x or b then
      g()
    else
      h()
    end
  end
end
""",
    "elixir": """
defmodule Shop do
  def branch(a, b) do
    for x <- a do
      if x && b do
        f()
      else
        if x || b do
          g()
        else
          h()
        end
      end
    end
  end

  def choose(x) do
    case x do
      1 -> f()
      2 -> g()
      3 -> h()
      _ -> 0
    end
  end
end
""",
}
# Where a language cannot say the same: Bash has no parameter lists, Elixir no else if (two more for the nesting).
BRANCH = {"bash": (6, 7, 2, 0), "elixir": (6, 10, 3, 2)}
CHOOSE = {"bash": (4, 1, 1, 0)}


@pytest.mark.parametrize("language", SOURCES)
def test_the_same_functions_have_the_same_figures(language: str) -> None:
    figures = measure_files([SOURCES[language].encode()], LANGUAGES[language], threads=1)[0]
    found = {
        one.name.rpartition(".")[2]: (one.cyclomatic, one.cognitive, one.nesting, one.parameters)
        for one in figures.functions
    }
    assert figures.is_complete
    assert found["branch"] == BRANCH.get(language, (6, 7, 2, 2))
    if language != "lua":
        assert found["choose"] == CHOOSE.get(language, (4, 1, 1, 1))
    assert len(found) == (1 if language == "lua" else 2)


def test_every_language_with_a_query_is_tested() -> None:
    assert {name for name, language in LANGUAGES.items() if language.query("complexity")} == set(SOURCES)
