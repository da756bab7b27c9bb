"""The terms of an entry and of a query."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.language.tokenize import is_dense, words
from agent_memory.recall.word_lists import dense_stop_words, stop_words
from agent_memory.secrets import without_secrets

if TYPE_CHECKING:
    from agent_memory.entries.entry_file import Entry

_IDENTIFIER = re.compile(r"[^\W_]+")  # letters and digits: "httpClient" and "v2" of "httpClient_v2"
# "pC" in httpClient, "PCl" in HTTPClient: where a word of an identifier begins.
_CAMEL = re.compile("[a-z][A-Z]|[A-Z][A-Z][a-z]")
# "HTTP", "Client" and "2" of HTTPClient2. The lookahead leaves the last capital to "Client".
_CAMEL_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\dA-Z_]+|\d+")
_SUMMARY_WEIGHT = 3  # how many times a word of the summary counts
_TAG_WEIGHT = 2
_SHORTEST = 2
"""Characters of a part of an identifier, at least."""


class EntryTerms(NamedTuple):
    """The terms of an entry, with repetitions.

    ``words`` are those of summary, body and tags, as drover counts them. ``extra`` has the parts
    of camelCase identifiers, and again the words of the summary (twice) and the tags (once), which
    weigh more.
    """

    words: list[str]
    extra: list[str]


class QueryTerm(NamedTuple):
    """A word of a query.

    ``dense`` words are pairs of characters of a script without spaces. Many pairs are no words.
    """

    text: str
    dense: bool = False


def indexable(entry: Entry) -> Entry:
    """Return ``entry`` without the secrets in its text: an index stores what this returns."""
    text = without_secrets(entry.text)
    if text == entry.text:
        return entry
    return replace(
        entry,
        summary=without_secrets(entry.summary),
        # The whole text in place of the body: some secrets are recognized only with the summary.
        body=text,
        tags=tuple(tag for tag in entry.tags if tag in text),  # a tag that is a secret is not in it
    )


def entry_terms(entry: Entry) -> EntryTerms:
    """Return the terms by which ``entry`` is found."""
    # One time less, because the text contains the summary and the tags.
    extra = words(entry.summary) * (_SUMMARY_WEIGHT - 1)
    extra += words(" ".join(entry.tags)) * (_TAG_WEIGHT - 1)
    for identifier in _identifiers(entry.text):
        extra += camel_parts(identifier)
    return EntryTerms(words(entry.text), extra)


def _identifiers(text: str) -> list[str]:
    """Return the camelCase identifiers in ``text``."""
    if not _CAMEL.search(text):
        return []
    return [name for name in _IDENTIFIER.findall(text) if _CAMEL.search(name)]


def camel_parts(identifier: str) -> list[str]:
    """Return the parts of ``identifier`` in lower case: `HttpClient` gives http and client.

    Parts of one character are left out.
    """
    parts = [part.lower() for part in _CAMEL_PART.findall(identifier)]
    return [part for part in parts if len(part) >= _SHORTEST]


def query_terms(query: str) -> list[QueryTerm]:
    """Return the terms of ``query``, each once, without stop words.

    A query that consists only of stop words keeps them, except for those that :func:`words` drops.
    """
    all_words = dict.fromkeys(words(query, query=True))
    stop = stop_words()
    meaningful = [word for word in all_words if word not in stop]
    if not query.isascii():  # else it has no Chinese or Japanese words
        meaningful = _without_dense_stop_words(query, meaningful)
    chosen = meaningful or list(all_words)  # "what is it" has only stop words
    return [QueryTerm(word, is_dense(word)) for word in chosen]


def _without_dense_stop_words(query: str, query_words: list[str]) -> list[str]:
    """Return ``query_words`` without the pairs that overlap a Chinese or Japanese stop word.

    ``query_words`` are words of ``query``: in a script without spaces, each pair of neighboring
    characters is one (``is_dense``). Words of other scripts are not removed.
    """
    for stop_word in dense_stop_words():
        query = query.replace(stop_word, " ")
    remaining = set(words(query, query=True))
    return [word for word in query_words if not is_dense(word) or word in remaining]
