"""Passwords in sentences, after user names and in commands.

The value must look random, as in :mod:`agent_memory.secrets.named_values`, or be ``user:password``
in Base64. After a user name, or directly after the word *password*, it must also have a lower-case
letter, a digit, and a capital or a symbol other than ``_/.:-``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.text_cache import TextCache
from agent_memory.l10n import on_language_change
from agent_memory.secrets.checksums import PASSWORD_ENTROPY, decode_base64, is_random
from agent_memory.secrets.named_values import is_identifier, named_value
from agent_memory.secrets.placeholders import is_abbreviated, is_dummy, is_name_of_hash
from agent_memory.secrets.value_bounds import WIDE_STOPS, full_value, without_sentence_end

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.secrets.model import Secret

_NAME = (
    r"\b(?:password|passwort|kennwort|passphrase|passwd|mot de passe|contraseña|senha|wachtwoord"
    r"|lösenord|hasło|пароль)\b"
)
# In languages in which no space need follow
_NAME_WITHOUT_SPACE = "(?:密码|密碼|口令|パスワード|비밀번호)"
# Of `password for the admin`
_OWNER = r"(?: (?:for|of|to|on|in|at|für|von|zu|pour|de|du|para|do|da) [^\n:=|.;!?]{1,60}?)?"
_IS = r"(?:(?:is|lautet|ist|est|es|é) |[:=\uff1a])"
_MARKS = r"[\"'`*]{0,3}"
_GAP = r"[ \t]{0,4}"
_ARGUMENTS = r"\b[^\n|;&]{0,120}? "  # of a command, up to its option
_VALUE = rf"(?P<quote>[\"'`]?)(?P<value>[^\s\"'`<>|,;\\{WIDE_STOPS}]{{8,64}}+)(?P<after>.?)"
# Base64; it has no quotes, but the caller needs the group
_BASIC = r"(?P<quote>)(?P<value>[A-Za-z0-9+/]{12,200}={0,2})(?P<after>.?)"
_LOGIN = r"\b(?:log[ -]?in|sign[ -]?in|credentials?|creds|zugangsdaten)\b(?!\.\w)"
"""A word, not the name of a file: credentials.js."""
_OPTION = r" --(?:password|passwd|pass|token|secret|api-key|access-token|auth-token)"
# What follows a name at the end of a part of a sentence
_THEN = r"(?=[.,;:!)]|[ \t]*(?:[\r\n]|\Z)| (?:and|for|if|in|on|to|when)\b)"


def _all_compiled(*patterns: str) -> tuple[re.Pattern[str], ...]:
    """Return ``patterns``, which ignore case, compiled on first use."""
    return tuple(lazy_compile(pattern, re.IGNORECASE) for pattern in patterns)


# The context says that the value is a password. Examples in turn, V being the value:
# `password of bob: V`, `密码是V`, `pw: V`, `use V as your password`, `mysql -u me -pV`,
# `sshpass -p V` or `redis-cli -a V`, `docker login -u me -p V`, `curl -u me:V`,
# `tool --password V`, `Authorization: Basic V`.
_STATED = _all_compiled(
    f"{_NAME}{_OWNER}{_MARKS}{_GAP}{_IS}{_MARKS}{_GAP}{_VALUE}",
    f"{_NAME_WITHOUT_SPACE} ?(?:为|為|是|は|는) ?{_VALUE}",
    rf"\b(?:pw|pwd|pass)\b{_MARKS}{_GAP}[:=]{_MARKS}{_GAP}{_VALUE}",
    rf"\b(?:use|with|enter) {_VALUE} as (?:(?:the|your|a|its) )?(?:\w+ )?{_NAME}{_THEN}",
    rf"\b(?:mysql|mysqldump|mysqladmin|mariadb){_ARGUMENTS}-p{_VALUE}",
    rf"\b(?:sshpass +-p|(?:redis|valkey)-cli{_ARGUMENTS}-a) ?{_VALUE}",
    rf"\b(?:docker|podman|helm|az|oc) (?:registry )?login{_ARGUMENTS}-p {_VALUE}",
    rf"\b(?:curl|wget|https?|xh){_ARGUMENTS}(?:-u|-a|--user)[ =]?[\"']?[\w.@+-]{{1,40}}:{_VALUE}",
    rf"{_OPTION} {_VALUE}",
    rf"\bauthorization:{_GAP}basic {_BASIC}",
)
# The context is weaker evidence here, so the value must mix kinds of characters: `login: bob / V`,
# `password V`.
_ADJACENT = _all_compiled(
    rf"{_LOGIN}[^\n|]{{0,30}}?[ :=\"'`(][a-z][\w.@+-]{{1,40}}{_MARKS} ?(?:/|:|,|and|und) ?{_VALUE}",
    f"{_NAME} {_VALUE}",
)
# Finds something in each line in which one of the patterns matches.
_HINT = lazy_compile(
    f"{_NAME}|{_NAME_WITHOUT_SPACE}|{_LOGIN}|{_OPTION}"
    r"|\bpass\b|\bpwd?\b|sshpass|mysql|mariadb|redis|valkey|login|curl|wget|http|xh "
    r"|authorization",
    re.IGNORECASE,
)
# Finds something in each ASCII line, in lower case, in which _HINT does, in a tenth of the time.
_ASCII_HINT = lazy_compile(
    r"pass|kennwort|pw|senha|wachtwoord|log[ -]?in|sign[ -]?in|cred(?:ential|s)|zugangsdaten"
    r"| --(?:token|secret|api-key|access-token|auth-token)"
    r"|mysql|mariadb|redis|valkey|curl|wget|http|xh |authorization"
)
ASCII_WORDS = (
    *("pass", "kennwort", "pw", "senha", "wachtwoord", "log", "sign", "cred", "zugangsdaten"),
    *(" --", "mysql", "mariadb", "redis", "valkey", "curl", "wget", "http", "xh ", "authorization"),
)
"""Each text in which ``_ASCII_HINT`` finds something has one of these."""
_ROUND = lazy_compile(
    r"\b(?:first|second|third|last|final|next|each|every|one|another|single|\d+(?:st|nd|rd|th)) "
    r"pass\W\Z",
    re.IGNORECASE,
)
"""A pass over something, such as a test: ``the first pass:``."""
_BEFORE = 10
"""Characters before *pass* that can have its number."""
_PASS = len("pass:")
"""Characters from the start of *pass* that ``_ROUND`` needs."""
_DIGIT = lazy_compile(r"\d")
# A lower-case letter, a digit, and a capital or a symbol other than `_/.:-`
_MIXED = lazy_compile(r"(?=.*[a-z])(?=.*\d)(?=.*(?:[A-Z]|[^\w/.:-])).*")


def find(text: str) -> Iterator[Secret]:
    """Yield the passwords in ``text``, in no particular order; one can be yielded twice.

    A password and its context are on one line. Results are cached by line.
    """
    if not _DIGIT.search(text):
        return  # a password without a digit is not found
    start = 0
    for line in text.split("\n"):
        end = start + len(line) + 1
        for secret in _in_line(text[start:end]):  # with the newline, which may end a value
            yield secret._replace(start=start + secret.start, end=start + secret.end)
        start = end


@TextCache
def _in_line(line: str) -> tuple[Secret, ...]:
    """Return the passwords in ``line``; their positions count from its start."""
    return tuple(find_in(line)) if may_contain_password(line) else ()


on_language_change(_in_line.clear)  # the title of a secret is a message


def may_contain_password(line: str) -> bool:
    """Whether ``line`` has a digit and one of the words without which no pattern matches."""
    if not _DIGIT.search(line):
        return False
    if line.isascii():
        return _ASCII_HINT.search(line.lower()) is not None
    return _HINT.search(line) is not None


def find_in(text: str) -> Iterator[Secret]:
    """Yield the passwords of ``text`` as :func:`find`, without the prefilter and the cache."""
    for pattern in _STATED:
        for match in pattern.finditer(text):
            value = without_sentence_end(match["value"])
            if _is_password(text, match, value):
                yield _secret(text, match)
    for pattern in _ADJACENT:
        for match in pattern.finditer(text):
            value = without_sentence_end(match["value"])
            if _MIXED.fullmatch(value) and _is_password(text, match, value):
                yield _secret(text, match)


def _secret(text: str, match: re.Match[str]) -> Secret:
    """Return the secret for the value of ``match``."""
    start = match.start("value")
    return named_value(start, full_value(text, start, match["value"]), "password")


def _is_password(text: str, match: re.Match[str], value: str) -> bool:
    """Whether ``value`` of ``match`` is a password and not a word or placeholder.

    ``value`` is without the punctuation of the sentence. If it is ``user:password`` in Base64, this
    password need not look random, but must not be a placeholder.
    """
    if match["quote"] and match["after"] != match["quote"]:
        return False  # the quoted text continues after the value: it is not one value
    if is_abbreviated(text, match.start("value") + len(value)):
        return False
    # Before an option (" --password") is a command, which may be called "hash".
    if not match[0].startswith(" ") and is_name_of_hash(text, match.start()):
        return False
    context_start = match.start()  # of a name, such as *pass*
    if _ROUND.search(text[max(0, context_start - _BEFORE) : context_start + _PASS]):
        return False
    user, colon, password = decode_base64(value).partition(":")
    if colon and user.isprintable() and password.isprintable():  # Basic authorization
        return not is_dummy(password)
    if is_identifier(value) or is_dummy(value):
        return False
    return is_random(value, PASSWORD_ENTROPY)
