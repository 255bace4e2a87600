"""Tickets that a text names: `#12`, `GH-12`, `LANG-1252`, and the addresses of trackers."""

from ctxsieve.patterns import lazy_pattern

__all__ = ["TICKET", "find_tickets"]

# Tickets look like names of standards.
TICKET = lazy_pattern(
    r"(?<!\w)(?:#\d+|GH-\d+|(?!(?:UTF|UCS|SHA|ISO|RFC|PEP|AES|IEEE|HTTP|TLS|BASE|LATIN|CP|CVE)-)[A-Z][A-Z0-9]+-\d{2,})\b"
)
_ADDRESS = lazy_pattern(
    r"\bhttps?://\S{1,200}?/"
    r"(?:(?:issues?|pull|pulls|pull-requests|merge_requests|tickets?)/(\d+)|browse/([A-Z][A-Z0-9]+-\d+))\b"
)
_MOST_TICKETS = 64


def find_tickets(text: str) -> tuple[str, ...]:
    """Return the tickets in a text, each once, in order; numbers are spelled `#12` however they stand."""
    addresses = _ADDRESS.finditer(text) if "://" in text else ()
    found = [(match.start(), "#" + match[1] if match[1] else match[2]) for match in addresses]
    found += [(match.start(), match[0].replace("GH-", "#")) for match in TICKET.finditer(text)]
    return tuple(dict.fromkeys(name for _, name in sorted(found)))[:_MOST_TICKETS]
