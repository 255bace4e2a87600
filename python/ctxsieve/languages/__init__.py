"""What ctxsieve knows about each language: detection, comments, definitions, imports and conventions."""

from ctxsieve.languages.conventions import candidate_test_paths, is_manifest, manifest_patterns
from ctxsieve.languages.definitions import parse, parse_many
from ctxsieve.languages.registry import LANGUAGES, LanguageRegistry, language_of
from ctxsieve.languages.resolution import EdgeKind, Edges, ProjectView, manifest_names, resolve_imports
from ctxsieve.languages.roles import Role, role_of
from ctxsieve.languages.table import CommentSyntax, ExportRule, Language, LanguageKind

__all__ = [
    "LANGUAGES",
    "CommentSyntax",
    "EdgeKind",
    "Edges",
    "ExportRule",
    "Language",
    "LanguageKind",
    "LanguageRegistry",
    "ProjectView",
    "Role",
    "candidate_test_paths",
    "is_manifest",
    "language_of",
    "manifest_names",
    "manifest_patterns",
    "parse",
    "parse_many",
    "resolve_imports",
    "role_of",
]
