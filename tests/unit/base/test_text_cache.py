"""Results by text: computed once, dropped when they are out of use."""

import gc
import weakref

from hypothesis import given
from hypothesis import strategies as st

from agent_memory.base import text_cache
from agent_memory.base.text_cache import TextCache


class Result(str):  # noqa: SLOT000 -- a value that can be referenced weakly
    """A string."""


def counted(most=text_cache.MOST):
    calls = []

    def compute(key):
        calls.append(key)
        return Result(key)

    return TextCache(compute, most), calls


def test_a_result_is_computed_once():
    cache, calls = counted()
    assert [cache("a"), cache["a"], cache("b")] == ["a", "a", "b"]
    assert calls == ["a", "b"]


def test_a_used_result_stays_and_an_unused_one_is_dropped_after_two_generations():
    cache, calls = counted()
    unused = weakref.ref(cache("unused"))
    for number in range(3):
        cache("used")
        text_cache.next_generation()
        cache(f"new {number}")
    gc.collect()
    assert unused() is None
    cache("used")
    assert calls.count("used") == 1


def test_a_full_cache_drops_the_older_half():
    cache, calls = counted(most=10)
    for number in range(1000):
        cache(str(number))
        cache("used")
    assert cache.size() <= 20
    assert calls.count("used") == 1


def test_clear_drops_both_generations():
    cache, calls = counted()
    cache("a")
    text_cache.next_generation()
    cache("b")
    cache.clear()
    cache("a")
    assert calls == ["a", "b", "a"]


def test_the_decorated_function_keeps_its_documentation():
    @TextCache
    def upper(text: str) -> str:
        """Return ``text`` in upper case."""
        return text.upper()

    assert (upper("a"), upper.__doc__) == ("A", "Return ``text`` in upper case.")


def letters(text):
    """Return the numbers of the lines with letters, as :meth:`TextCache.found_in` finds them."""
    return [(number, line) for number, line in enumerate(text) if line.strip()]


def test_only_lines_that_differ_from_the_last_call_are_looked_up():
    class Spy(TextCache):
        def __getitem__(self, key):
            looked_up.append(key)
            return super().__getitem__(key)

    looked_up = []
    cache = Spy(str.strip)
    blank = [" "] * 50  # a shorter text is looked up as a whole
    assert cache.found_in(["a", *blank, "b"]) == [(0, "a"), (51, "b")]
    assert cache.found_in(["a", "c", *blank, "b"]) == [(0, "a"), (1, "c"), (52, "b")]
    assert looked_up == ["a", *blank, "b", "c"]
    text_cache.next_generation()
    looked_up.clear()
    cache.found_in(["a", "c", *blank, "b"])
    assert looked_up == ["a", "c", *blank, "b"]


SHORT = st.lists(st.sampled_from(["", " ", "a", "b", "c"]), max_size=8)
TEXTS = st.lists(SHORT | SHORT.map(lambda lines: [*lines, *[" "] * 50, *lines]), max_size=8)


@given(TEXTS)
def test_what_is_found_does_not_depend_on_earlier_calls(texts):
    cache = TextCache(str.strip, most=4)
    for text in texts:
        assert cache.found_in(text) == letters(text)


def test_clear_forgets_the_last_call():
    cache, calls = counted()
    cache.found_in(["a"])
    cache.clear()
    cache.found_in(["a"])
    assert calls == ["a", "a"]


def of_blank_lines(lines):
    return {line: "" for line in lines if not line.strip()}


@given(TEXTS)
def test_results_computed_in_bulk_change_nothing_that_is_found(texts):
    cache = TextCache(str.strip, most=4, bulk=of_blank_lines)
    for text in texts:
        assert cache.found_in(text) == letters(text)


def test_results_computed_in_bulk_are_not_computed_again():
    calls = []
    cache = TextCache(calls.append, bulk=of_blank_lines)
    cache.found_in(["a", " ", "", "b"])
    assert calls == ["a", "b"]


@given(TEXTS)
def test_a_prefilter_changes_nothing_that_is_found(texts):
    cache = text_cache.text_cache(lambda text: "a" in text)(lambda line: line.strip(" bc"))
    for text in texts:
        assert cache.found_in(text) == [pair for pair in letters(text) if pair[1] == "a"]


def test_no_line_of_a_text_that_fails_the_prefilter_is_computed():
    calls = []
    cache = text_cache.text_cache(lambda text: "a" in text)(calls.append)
    rest = ["b"] * 50  # a shorter text is looked up as a whole
    cache.found_in([*rest, "c"])
    assert calls == []
    cache.found_in([*rest, "a"])
    assert calls == ["a"]
