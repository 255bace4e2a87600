"""Findings as a SARIF 2.1.0 log, for code hosts and editors."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from ctxsieve.smells.find import SmellReport
from ctxsieve.smells.findings import Place, Smell, SmellKind

__all__ = ["smells_sarif"]

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ROOT = "%SRCROOT%"
_DESCRIPTIONS = {
    SmellKind.COGNITIVE: "The function is hard to follow: branches inside of branches.",
    SmellKind.CYCLOMATIC: "The function has many paths.",
    SmellKind.LONG_FUNCTION: "The function is long.",
    SmellKind.NESTING: "Control structures stand deep inside each other.",
    SmellKind.PARAMETERS: "The function takes many parameters.",
    SmellKind.GOD_FILE: "The file is large in more than one respect.",
    SmellKind.CYCLE: "Files import each other.",
    SmellKind.DUPLICATE: "The same lines stand in several places.",
    SmellKind.UNUSED: "Nothing in the project mentions the exported name.",
}


def smells_sarif(report: SmellReport, *, version: str, limit: int = 0) -> str:
    """Return the log as JSON text; `version` is that of the tool, `limit` bounds the results, 0 shows all."""
    shown = report.smells[:limit] if limit else report.smells
    highest = max((smell.severity for smell in report.smells), default=1.0)
    kinds = tuple(SmellKind)
    log = {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "ctxsieve",
                        "semanticVersion": version,
                        "rules": [_rule(kind) for kind in kinds],
                    }
                },
                "columnKind": "utf16CodeUnits",
                "originalUriBaseIds": {_ROOT: {"description": {"text": "The root of the project."}}},
                "results": [_result(smell, kinds.index(smell.kind), highest) for smell in shown],
            }
        ],
    }
    return json.dumps(log, ensure_ascii=False, indent=1) + "\n"


def _rule(kind: SmellKind) -> Mapping[str, Any]:
    return {
        "id": kind.value,
        "name": "".join(part.capitalize() for part in kind.value.split("-")),
        "shortDescription": {"text": _DESCRIPTIONS[kind]},
        "defaultConfiguration": {"level": "warning"},
    }


def _result(smell: Smell, rule: int, highest: float) -> Mapping[str, Any]:
    subject = f"{smell.symbol}: " if smell.symbol else ""
    location: dict[str, Any] = _location(smell.place)
    if smell.symbol:
        location["logicalLocations"] = [{"fullyQualifiedName": smell.symbol, "kind": "function"}]
    result: dict[str, Any] = {
        "ruleId": smell.kind.value,
        "ruleIndex": rule,
        "level": smell.level.value,
        "message": {"text": f"{subject}{smell.message}"},
        "locations": [location],
        "partialFingerprints": {"ctxsieve/v1": _fingerprint(smell)},
        "rank": round(100.0 * smell.severity / highest, 2) if highest > 0 else 0.0,
        "properties": {
            "severity": smell.severity,
            "value": smell.value,
            "threshold": smell.threshold,
            "confidence": smell.confidence.value,
        },
    }
    if smell.related:
        result["relatedLocations"] = [{"id": number, **_location(one)} for number, one in enumerate(smell.related)]
    return result


def _location(place: Place) -> dict[str, Any]:
    return {
        "physicalLocation": {
            "artifactLocation": {"uri": _uri(place.path), "uriBaseId": _ROOT},
            "region": {"startLine": place.first_line, "endLine": place.last_line},
        }
    }


def _uri(path: str) -> str:
    # Relative references may not begin with something that reads as a scheme.
    return quote(path.encode("utf-8", "surrogateescape"), safe="/-._~!$&'()*+,;=@")


def _fingerprint(smell: Smell) -> str:
    """Return what stays when lines move: the rule, the file and the symbol."""
    others = ",".join(sorted({place.path for place in smell.related}))
    text = "\0".join((smell.kind.value, smell.place.path, smell.symbol, others))
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:32]
