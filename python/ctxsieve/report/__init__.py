"""The report: one self-contained page about a project, for people who would rather look."""

from typing import TYPE_CHECKING

from ctxsieve.exports import lazy_exports
from ctxsieve.report.options import ReportOptions

if TYPE_CHECKING:
    from ctxsieve.report.write import ReportInputs, write_report

__all__ = ["ReportInputs", "ReportOptions", "write_report"]

__getattr__ = lazy_exports(__name__, {"ReportInputs": "ctxsieve.report.write", "write_report": "ctxsieve.report.write"})
