"""The base class of all features, and the events that one feature reports to the others.

A feature is one module with one subclass of :class:`Feature`, named in the table of methods
(``protocol.methods``). It returns plain JSON: ``protocol.convert`` and ``protocol.workspace_edit``
build it, because building typed objects costs 20 times as much.
"""

from __future__ import annotations

import threading
from importlib import import_module
from typing import TYPE_CHECKING, Any

from agent_memory.base.failures import log_failure
from agent_memory.lsp.features.timer import Timer, run_logged

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

    from pygls.lsp.server import LanguageServer

    from agent_memory.lsp.transport.client import Client
    from agent_memory.lsp.workspace.session import Session

    Handler = Callable[[Any], Any]


class Feature:
    """One feature for one client. The hooks do nothing unless a feature overrides them."""

    def __init__(self, session: Session, client: Client, events: Events) -> None:
        self.session = session
        self.client = client
        self.events = events

    def fast_lane(self) -> dict[str, Handler]:
        """Return the handlers of the feature's ``FAST`` methods in the table, by method."""
        return {}

    def register(self, server: LanguageServer) -> None:
        """Register the handlers of all other methods; called when pygls has been loaded."""

    def on_start(self) -> None:
        """Start to send messages: the client has sent ``initialized``."""

    def on_folders(self) -> None:
        """Adapt to other workspace folders."""

    def on_idle(self) -> None:
        """Follow changes of open documents; called when all messages that arrived are handled."""

    def on_change(self) -> None:
        """Follow a change of files on disk or of settings."""

    def on_pause(self) -> None:
        """Use complete findings: the deferred rules ran, in a pause of typing or after a check."""

    def on_restored(self) -> None:
        """Follow a file on disk that changed, perhaps was read, and changed back."""

    def on_prompt_changed(self) -> None:
        """Follow a change of the composed prompt or of a fact about it, such as its errors."""

    def on_stop(self) -> None:
        """Release threads and files: the server ends."""

    def status(self) -> dict[str, Any]:
        """Return the feature's part of ``agentMemory/status``."""
        return {}


class Events:
    """Calls the hooks of all features, in the order of their creation, and runs their timers.

    Everything runs in the main thread. Before :meth:`bind` there is no event loop: calls and timers
    wait for it.
    """

    def __init__(self) -> None:
        self.features: list[Feature] = []
        self.exit_code = 1  # if the client disappears without `exit`
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopped: asyncio.Event | None = None
        self._is_stopped = False
        self._is_edited = False  # on_idle is due
        # No timer runs after `shutdown`: clients kill a server that does not end soon after it.
        self.is_ending = False
        self._lock = threading.Lock()
        self._calls: list[Callable[[], None]] = []  # that wait until there is a loop
        self._timers: list[Timer] = []  # that start when there is a loop

    def add(self, name: str, session: Session, client: Client) -> Feature:
        """Create the feature ``name``, for example "hover.Hover", and return it.

        From now on it receives the events.
        """
        module, _, class_name = name.partition(".")
        feature_class = getattr(import_module(f"agent_memory.lsp.features.{module}"), class_name)
        feature: Feature = feature_class(session, client, self)
        self.features.append(feature)
        return feature

    # -- hooks

    def start(self) -> None:
        """Report that the client has sent ``initialized``."""
        self._call("on_start")

    def folders_changed(self) -> None:
        """Report other workspace folders."""
        self._call("on_folders")

    def edited(self) -> None:
        """Report a change of an open document; ``on_idle`` is called once per batch of messages."""
        # Once per batch. While there is no loop, `Host` calls `idle` after each batch.
        if not self._is_edited and self._loop:
            self._loop.call_soon(self.idle)
        self._is_edited = True

    def idle(self) -> None:
        """Call ``on_idle`` if a document has changed; called after each batch of messages."""
        if self._is_edited:
            self._is_edited = False
            self._call("on_idle")

    def changed(self) -> None:
        """Report a change of files on disk or of settings."""
        self._call("on_change")

    def paused(self) -> None:
        """Report that the deferred rules ran."""
        self._call("on_pause")

    def restored(self) -> None:
        """Report events on disk after which the files are as before."""
        self._call("on_restored")

    def prompt_changed(self) -> None:
        """Report a change of the composed prompt or of a fact about it."""
        self._call("on_prompt_changed")

    def status(self) -> dict[str, Any]:
        """Return the status of all features as one object; one that fails is left out."""
        return {key: value for part in self._call("status") for key, value in part.items()}

    def _call(self, hook: str) -> list[Any]:
        """Call the method ``hook`` of each feature; return the results of those that succeed.

        A failure is logged.
        """
        results = []
        for feature in self.features:
            try:
                results.append(getattr(feature, hook)())
            except Exception as error:  # noqa: BLE001 -- the other features go on
                log_failure(error, f"{hook} of {type(feature).__name__}")
        return results

    # -- the event loop

    def bind(self) -> None:
        """Use the running event loop from now on."""
        import asyncio  # noqa: PLC0415 -- see Host.run

        loop, self._stopped = asyncio.get_running_loop(), asyncio.Event()
        if self._is_stopped:
            self._stopped.set()
        if self._is_edited:
            loop.call_soon(self.idle)
        with self._lock:
            self._loop = loop
            calls, self._calls = self._calls, []
        for call in calls:
            loop.call_soon(run_logged, call)
        for timer in self._timers:
            timer.start(loop)
        self._timers.clear()

    async def wait(self) -> None:
        """Wait for :meth:`stop`, then call ``on_stop``."""
        assert self._stopped is not None  # noqa: S101 -- for the type checker: bound before
        await self._stopped.wait()
        self._call("on_stop")

    def stop(self) -> None:
        """End :meth:`wait`."""
        self._is_stopped = True
        if self._stopped:
            self._stopped.set()

    @property
    def is_bound(self) -> bool:
        """Whether there is an event loop."""
        return self._loop is not None

    @property
    def is_stopped(self) -> bool:
        """Whether :meth:`stop` was called."""
        return self._is_stopped

    def call_soon(self, call: Callable[[], None]) -> None:
        """Run ``call`` in the main thread, or drop it if the event loop has ended.

        May be called from any thread.
        """
        with self._lock:
            if self._loop is None:
                self._calls.append(call)
            elif not self._loop.is_closed():
                self._loop.call_soon_threadsafe(run_logged, call)

    def call_later(self, seconds: float, call: Callable[[], None]) -> Timer:
        """Run ``call`` in the main thread after ``seconds``, unless the client shuts down."""
        timer = Timer(seconds, lambda: None if self.is_ending else call())
        if self._loop:
            timer.start(self._loop)
        else:
            self._timers.append(timer)
        return timer
