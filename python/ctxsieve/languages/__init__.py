"""What ctxsieve knows about each language: detection, comments, definitions, imports and conventions."""

from typing import TYPE_CHECKING

from ctxsieve.exports import lazy_exports
from ctxsieve.languages.registry import LANGUAGES, Claims, LanguageRegistry, language_of
from ctxsieve.languages.roles import Role, role_of
from ctxsieve.languages.table import CommentSyntax, ExportRule, IndentationRule, Language, LanguageKind

if TYPE_CHECKING:
    from ctxsieve.languages.conventions import candidate_test_paths, is_manifest, manifest_patterns
    from ctxsieve.languages.definitions import Capture, parse, parse_many, parse_with_captures
    from ctxsieve.languages.edge_kinds import EdgeKind
    from ctxsieve.languages.nesting import is_deeply_nested
    from ctxsieve.languages.removal import removal_rules
    from ctxsieve.languages.resolution import Edges, ProjectView, manifest_names, resolve_imports
    from ctxsieve.languages.words import WordPlaces, find_words

__all__ = [
    "LANGUAGES",
    "Capture",
    "Claims",
    "CommentSyntax",
    "EdgeKind",
    "Edges",
    "ExportRule",
    "IndentationRule",
    "Language",
    "LanguageKind",
    "LanguageRegistry",
    "ProjectView",
    "Role",
    "WordPlaces",
    "candidate_test_paths",
    "find_words",
    "is_deeply_nested",
    "is_manifest",
    "language_of",
    "manifest_names",
    "manifest_patterns",
    "parse",
    "parse_many",
    "parse_with_captures",
    "removal_rules",
    "resolve_imports",
    "role_of",
]

__getattr__ = lazy_exports(
    __name__,
    {
        "candidate_test_paths": "ctxsieve.languages.conventions",
        "is_manifest": "ctxsieve.languages.conventions",
        "manifest_patterns": "ctxsieve.languages.conventions",
        "Capture": "ctxsieve.languages.definitions",
        "parse": "ctxsieve.languages.definitions",
        "parse_many": "ctxsieve.languages.definitions",
        "parse_with_captures": "ctxsieve.languages.definitions",
        "is_deeply_nested": "ctxsieve.languages.nesting",
        "removal_rules": "ctxsieve.languages.removal",
        "EdgeKind": "ctxsieve.languages.edge_kinds",
        "Edges": "ctxsieve.languages.resolution",
        "ProjectView": "ctxsieve.languages.resolution",
        "manifest_names": "ctxsieve.languages.resolution",
        "resolve_imports": "ctxsieve.languages.resolution",
        "WordPlaces": "ctxsieve.languages.words",
        "find_words": "ctxsieve.languages.words",
    },
)
