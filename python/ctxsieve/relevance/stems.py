"""One key for the inflections of a word, and the spellings to look up for a key.

The index holds words as they are written; a task term is expanded over the vocabulary at query time.
"""

from functools import lru_cache

__all__ = ["related_words", "spellings", "stem"]

_PLURALS = ("sses", "shes", "ches", "xes", "zes")
# Longest first where one ends in another; each becomes what is on its right.
_SUFFIXES = (
    ("ization", "iz"),
    ("isation", "is"),
    ("ation", "at"),
    ("ition", "it"),
    ("ating", "at"),
    ("ated", "at"),
    ("ator", "at"),
    ("tion", "t"),
    ("sion", "s"),
    ("ement", "e"),
    ("ness", ""),
    ("ility", ""),
    ("able", ""),
    ("ible", ""),
    ("ally", ""),
    ("ing", ""),
    ("edly", ""),
    ("ed", ""),
    ("ers", ""),
    ("er", ""),
    ("or", ""),
    ("ly", ""),
    ("ment", ""),
)
_ENDINGS = (
    *("", "s", "e", "es", "ed", "ing", "er", "ers", "or", "ors", "ion", "ions", "ation", "ations", "able", "ible"),
    *("ment", "ments", "ly", "ally", "ness", "ize", "ized", "izes", "izer", "izing", "ization", "ility", "y"),
)
_SHORTEST_STEM = 3

# Words that programmers use for one another; each line is one group.
_GROUPS = """
auth authentication authenticate authorization authorize login logon signin
config configuration configure cfg conf
init initialize initialise initialization initializer
arg argument
param parameter
attr attribute
env environment
dir directory
doc documentation document
msg message
req request
resp response
err error
ctx context
db database
num number
fn func function
cmd command
async asynchronous
repo repository
lib library
pkg package
util utility
iter iterator iterate iteration
ptr pointer
len length
max maximum
min minimum
tmp temp temporary
prev previous
exec execute execution
sep separator
val value
var variable
spec specification
info information
impl implementation
idx index
char character
cert certificate
conn connection
dep dependency
desc description descriptor
dest destination
src source
ref reference
str string
addr address
alloc allocate allocation allocator
buf buffer
sync synchronize synchronous
prop property
decl declaration
expr expression
stmt statement
obj object
calc calculate
stat statistic
ext extension
eval evaluate evaluation
app application
perm permission
priv private
pub public
tpl template tmpl
evt event
cb callback
elem element
img image
pos position
rand random
regex regexp
sess session
sel select selector
sig signal signature
admin administrator
"""


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Return the key that the inflections of a lower-case English word share; other words are their own key."""
    if len(word) <= _SHORTEST_STEM or not word.isascii():
        return word
    if word.endswith("ies") and len(word) > 4:
        word = word[:-3] + "y"
    elif word.endswith(_PLURALS):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for suffix, replacement in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= _SHORTEST_STEM:
            word = word[: -len(suffix)] + replacement
            if not replacement and len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz":
                word = word[:-1]
            break
    if word.endswith("e") and len(word) > _SHORTEST_STEM:
        word = word[:-1]
    if word.endswith("y") and len(word) > _SHORTEST_STEM:
        word = word[:-1] + "i"
    return word


@lru_cache(maxsize=4096)
def spellings(key: str) -> tuple[str, ...]:
    """Return the words that `stem` maps to `key`, as far as regular inflection makes them."""
    bases = [key]
    if key.endswith("i"):
        bases.append(key[:-1] + "y")
        bases.append(key[:-1] + "ie")
    if len(key) >= _SHORTEST_STEM and key[-1:].isalpha():
        bases.append(key + key[-1])
    found = dict.fromkeys(base + ending for base in bases for ending in _ENDINGS)
    return tuple(word for word in found if stem(word) == key)


def _read_groups() -> dict[str, tuple[str, ...]]:
    groups: dict[str, tuple[str, ...]] = {}
    for line in _GROUPS.split("\n"):
        words = line.split()
        for word in words:
            groups[stem(word)] = tuple(other for other in words if stem(other) != stem(word))
    return groups


_RELATED = _read_groups()


def related_words(key: str) -> tuple[str, ...]:
    """Return abbreviations and full forms of the words behind `key`: `auth` for `authentication`."""
    return _RELATED.get(key, ())
