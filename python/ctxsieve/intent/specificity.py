"""How specific a task is, which decides how sharply the budget concentrates (docs/budget.md)."""

from ctxsieve.intent.model import Scope

__all__ = ["measure_specificity"]

_KNOWN_ACTION = 0.25
_PER_KEYWORD = 0.15
_MOST_KEYWORDS = 4
_PATH_NAMED = 0.25
_SYMBOL_NAMED = 0.15
_SCOPE_SHARE = {
    Scope.SINGLE_FILE: 1.0,
    Scope.MULTI_FILE: 1.0,
    Scope.CROSS_MODULE: 0.8,
    Scope.PROJECT_WIDE: 0.5,
}


def measure_specificity(
    *, has_action: bool, keyword_count: int, path_count: int, symbol_count: int, scope: Scope
) -> float:
    """Specificity in 0..1, rounded to two digits.

    min(1, .25 for a known action + .15 for each of at most four keywords + .25 if a path is named + .15 if a symbol
    is named), times .8 across modules and .5 for the whole project. "fix the JWT validation in auth middleware" has
    an action and four keywords: .25 + 4 * .15 = .85.
    """
    score = _KNOWN_ACTION * has_action
    score += _PER_KEYWORD * min(keyword_count, _MOST_KEYWORDS)
    score += _PATH_NAMED * (path_count > 0) + _SYMBOL_NAMED * (symbol_count > 0)
    return round(min(1.0, score) * _SCOPE_SHARE[scope], 2)
