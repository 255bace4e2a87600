"""Prose and data: outlines and compression of what is no code."""

from ctxsieve.compress.prose.families import find_lines, is_code, render_prose, render_prose_outline

__all__ = ["find_lines", "is_code", "render_prose", "render_prose_outline"]
