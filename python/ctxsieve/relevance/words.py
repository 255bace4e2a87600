"""Words that say little about where a change goes, and the parts of identifiers."""

from ctxsieve.patterns import lazy_pattern
from ctxsieve.relevance.stems import stem

__all__ = ["COMMIT_STEMS", "STOP_WORDS", "split_identifier"]

# Function words of English, then of the other Latin-script languages that tasks come in.
_STOP_WORDS = """
a an the and or but if of to in on at by for from with without into onto over under is are was were be been being am
do does did done doing has have had having it its this that these those there here as so than then when where while
which who whom whose what why how not no nor only just also too very can could will would shall should may might must
we you they he she me my our your their us them his her all any both each few more most other some such same own
about after again before because between during out off up down once further via per etc eg ie vs let lets make makes
made making get gets got getting use uses used using need needs needed now still already yet instead however since due
able really don doesn didn isn aren wasn won wouldn couldn shouldn hasn haven cannot ll re ve
el la los las un una unos unas de del al en con por para que se su sus es son como no si lo le les cuando
o os as um uma dos das do da na nos nas ao em com por que se seu sua nao como quando mas
der die das den dem des ein eine einen einem einer und oder nicht mit von zu zum zur im ist sind wird auf bei wenn
le les un une des du et ou ne pas dans avec pour par sur qui que est sont quand au aux ce cette
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())

_COMMIT_WORDS = """
fix fixes fixed fixing add adds added adding update updates updated updating remove removes removed removing change
changes changed changing improve improves improved improving refactor refactors refactored refactoring implement
implements implemented implementing support supports supported supporting allow allows allowed allowing ensure ensures
ensured handle handles handled handling feat chore perf style ci build bug bugs bugfix issue issues close closes closed
resolve resolves resolved merge merged pr pull commit revert reverts reverted bump cleanup clean minor small tweak
tweaks typo typos better correct correctly properly wrong new old introduce introduces rename renamed move moved drop
drops dropped avoid avoids prevent prevents rework rewrite simplify simplifies deprecate co authored signed
"""
COMMIT_STEMS = frozenset(stem(word) for word in _COMMIT_WORDS.split())

_PART = lazy_pattern(r"[A-Z]+[0-9]*(?![a-z])|[A-Z]?[a-z\u00df-\u024f]+[0-9]*|[0-9]+|[^\W\d_A-Za-z]+")


def split_identifier(word: str) -> list[str]:
    """Return the lower-case parts of an identifier: `HTTPServer_name2` gives http, server, name2."""
    return [part.lower() for part in _PART.findall(word) if not part[0].isdigit()]
