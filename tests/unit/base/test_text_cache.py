"""Results by text: computed once, dropped when they are out of use."""

import gc
import weakref

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
