"""Prose and data: outlines and compression of what is no code."""

from ctxsieve.compress.prose.families import is_code, render_prose, render_prose_outline

__all__ = ["is_code", "render_prose", "render_prose_outline"]
