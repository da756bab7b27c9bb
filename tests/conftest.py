"""Settings of all tests: no deadline on a busy machine, examples as the run's effort says."""

from __future__ import annotations

import gc
import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from agent_memory import secrets
from effort import EFFORT, scaled

if TYPE_CHECKING:
    from collections.abc import Iterator

collect_ignore = ["rules/cases"]  # examples, some of which are named like tests

settings.register_profile(
    "default",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    max_examples=scaled(100),
)
settings.load_profile("default")
gc.disable()  # until pytest_collection_finish


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put tests that wait first; scale the examples that property tests name themselves."""
    items.sort(key=lambda item: item.get_closest_marker("waits") is None)
    if EFFORT == "usual":
        return
    default = settings.get_profile("default").max_examples
    functions = {getattr(item, "obj", None) for item in items}
    for function in functions:
        own = getattr(function, "_hypothesis_internal_use_settings", None)
        if own is not None and own.max_examples != default:
            function._hypothesis_internal_use_settings = settings(
                own, max_examples=scaled(own.max_examples)
            )


def pytest_collection_finish() -> None:
    """Keep the garbage collector from visiting all tests repeatedly: a tenth of the time.

    It is off during the collection, which creates hardly any garbage.
    """
    gc.freeze()
    gc.enable()


@pytest.fixture(autouse=True)
def no_known_secrets() -> Iterator[None]:
    """Forget the secrets that a test found or accepted: tests generate the same values."""
    yield
    secrets.reset()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Collect what the tests of requirements have asked, also in other processes."""
    if any(key == "asked" for key, _ in report.user_properties):
        from requirements import table  # noqa: PLC0415 -- most runs have no such test

        table.collect(report)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write the table of requirements after a run that has asked about all of them."""
    table = sys.modules.get("requirements.table")
    if table and not hasattr(session.config, "workerinput"):
        table.write()
