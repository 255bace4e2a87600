"""Thresholds of smells: `[tool.ctxsieve.smells]`."""

from dataclasses import fields
from enum import StrEnum

from ctxsieve.errors import InputError
from ctxsieve.languages import Role
from ctxsieve.values import dataclass

__all__ = ["Confidence", "SmellOptions"]


class Confidence(StrEnum):
    """How sure a finding is."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


@dataclass(frozen=True, slots=True, kw_only=True)
class SmellOptions:
    """What counts as a smell; a value at its threshold is still none, 0 switches a kind off.

    Attributes:
        function_lines: code lines of a function.
        cyclomatic: cyclomatic complexity of a function.
        cognitive: cognitive complexity of a function.
        nesting: control structures inside each other.
        parameters: parameters of a function.
        file_lines: code lines of a file.
        file_functions: functions of a file.
        file_dependencies: files that a file depends on.
        duplicate_lines: equal code lines in a row, from so many on.
        cycle_files: files that import each other, from so many on.
        unused_confidence: unused exports that are less sure are not reported.
        unused_exports: whether they are looked for at all.
        importance_weight: how much PageRank raises the severity.
        dependents_weight: how much the number of dependents raises the severity.
        roles: the roles of files that are looked at.
    """

    function_lines: int = 60
    cyclomatic: int = 10
    cognitive: int = 15
    nesting: int = 4
    parameters: int = 7
    file_lines: int = 750
    file_functions: int = 50
    file_dependencies: int = 30
    duplicate_lines: int = 12
    cycle_files: int = 2
    unused_confidence: Confidence = Confidence.MEDIUM
    unused_exports: bool = True
    importance_weight: float = 1.0
    dependents_weight: float = 1.0
    roles: tuple[str, ...] = ("source", "build", "config")

    def __post_init__(self) -> None:
        for entry in fields(self):
            value = getattr(self, entry.name)
            if isinstance(value, int | float) and not value >= 0:
                raise InputError(f"{entry.name} is {value}: it must be 0 or more")
        for role in self.roles:
            if role not in list(Role):
                raise InputError(f"roles has {role!r}: it must be one of {', '.join(Role)}")
        if self.duplicate_lines == 1:
            raise InputError("duplicate_lines is 1: it must be 2 or more, or 0 to look for none")
