"""Similarity in meaning, with the static word vectors of the optional package ``wordllama``.

Its weights are inside its wheel: nothing is downloaded. Loading takes one to two seconds, so a
single command uses it only on request and the language server loads it in the background.
"""

from __future__ import annotations

import importlib
import importlib.util
import threading
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from agent_memory.entries.entry_file import Entry

PACKAGE = "wordllama"
WEIGHT = 0.5
"""Weight of the similarity in meaning; that of the similarity in words is 1."""
LEAST_SIMILARITY = 0.25
"""The least similarity in meaning of a result that has no word of the query."""
ENTRIES_MAX = 20_000
"""If more are selected, only the best by words are compared: a vector takes 0.24 ms."""


class Model(Protocol):
    """What turns texts into vectors."""

    def embed(self, texts: Sequence[str]) -> list[Any]:
        """Return a vector for each text."""

    def stacked(self, vectors: Sequence[Any]) -> Any:
        """Return ``vectors`` in the form that :meth:`similarities` takes."""

    def similarities(self, stacked: Any, query: str) -> list[float]:
        """Return the cosine of ``query`` and each vector, from -1 to 1."""


class WordLlamaModel:
    """The vectors of the package ``wordllama``."""

    def __init__(self) -> None:
        package = importlib.import_module(PACKAGE)
        self._numpy = importlib.import_module("numpy")
        folder = Path(str(package.__file__)).parent
        self._model = package.WordLlama.load(cache_dir=folder, disable_download=True)

    def embed(self, texts: Sequence[str]) -> list[Any]:
        """Return a vector for each text, of length 1; zeros for a text without known words."""
        vectors = self._model.embed(list(texts), norm=False)
        length = self._numpy.linalg.norm(vectors, axis=1, keepdims=True)
        return list(vectors / self._numpy.maximum(length, 1e-9))  # zeros have the length 0

    def stacked(self, vectors: Sequence[Any]) -> Any:
        """Return ``vectors`` as the rows of a matrix."""
        return self._numpy.stack(vectors)

    def similarities(self, stacked: Any, query: str) -> list[float]:
        """Return the cosine of ``query`` and each row."""
        result: list[float] = (stacked @ self.embed([query])[0]).tolist()
        return result


class _Loader:
    """Loads the model once, in a thread; then ``model`` or ``failure`` is set."""

    def __init__(self) -> None:
        self.model: Model | None = None
        self.failure = ""
        self._thread = threading.Thread(target=self._load, name="recall model", daemon=True)
        self._thread.start()

    def wait(self) -> Model | None:
        """Wait until loading has ended; return the model, None if it failed."""
        self._thread.join()
        return self.model

    def _load(self) -> None:
        """Set ``model``, or ``failure`` if it cannot be loaded."""
        try:
            self.model = WordLlamaModel()
        except Exception as error:  # noqa: BLE001 -- a broken optional package stops no search
            self.failure = f"{type(error).__name__}: {error}"


@cache
def _loader() -> _Loader:
    """Return the one loader; the first call starts loading."""
    return _Loader()


def installed() -> bool:
    """Whether the optional package is installed."""
    return importlib.util.find_spec(PACKAGE) is not None


def model(*, wait: bool) -> Model | None:
    """Return the model; None if its package is not installed or broken.

    The first call starts loading it in a thread, and later calls return the same model. While it
    is loading, the result is None, unless ``wait``: then the call waits.
    """
    if not installed():
        return None
    return _loader().wait() if wait else _loader().model


def failure() -> str:
    """Return why there is no model; '' while it is loading, or if it is loaded.

    Like :func:`model`, the first call starts loading it.
    """
    return _loader().failure if installed() else f"the package {PACKAGE} is not installed"


class Vectors:
    """The vectors of entries by number; ``read`` returns an entry, None if it no longer exists.

    A vector is computed when it is first needed, and cached until :meth:`forget`.
    """

    def __init__(self, read: Callable[[int], Entry | None]) -> None:
        self._read = read
        self._vectors: dict[int, Any] = {}
        self._stacked: tuple[list[int], Any] = ([], None)  # numbers, and their vectors as one

    def forget(self, numbers: Iterable[int] | None = None) -> None:
        """Drop the vectors of ``numbers`` (None: of all entries)."""
        if numbers is None:
            self._vectors.clear()
        else:
            for number in numbers:
                self._vectors.pop(number, None)
        self._stacked = ([], None)

    def similarities(self, model: Model, query: str, numbers: list[int]) -> dict[int, float]:
        """Return {number: similarity to ``query``, from 0 to 1} of the entries ``numbers``.

        An entry that no longer existed when its vector was needed is left out.
        """
        self._add(model, [number for number in numbers if number not in self._vectors])
        existing = [number for number in numbers if number in self._vectors]
        if not existing:
            return {}
        stacked_numbers, stacked = self._stacked  # of the last call, perhaps of the same entries
        if stacked_numbers != existing:
            stacked = model.stacked([self._vectors[number] for number in existing])
            self._stacked = (existing, stacked)
        values = model.similarities(stacked, query)
        return {number: max(0.0, value) for number, value in zip(existing, values, strict=True)}

    def _add(self, model: Model, numbers: Sequence[int]) -> None:
        """Compute and store the vectors of the entries ``numbers``; missing ones are left out."""
        entries = ((number, self._read(number)) for number in numbers)
        read = [(number, entry) for number, entry in entries if entry]
        if read:
            vectors = model.embed([entry.text for _, entry in read])
            self._vectors.update(zip((number for number, _ in read), vectors, strict=True))
