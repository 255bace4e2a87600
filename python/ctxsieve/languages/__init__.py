"""What ctxsieve knows about each language: detection, comments, definitions, imports and conventions."""

from ctxsieve.languages.definitions import parse, parse_many
from ctxsieve.languages.registry import LANGUAGES, LanguageRegistry, language_of
from ctxsieve.languages.table import CommentSyntax, ExportRule, Language, LanguageKind

__all__ = [
    "LANGUAGES",
    "CommentSyntax",
    "ExportRule",
    "Language",
    "LanguageKind",
    "LanguageRegistry",
    "language_of",
    "parse",
    "parse_many",
]
