"""``agentMemory/verify``: start the installed agent once, and compare what it sends.

The client asks the person first: the request itself is the consent. The agent runs in a thread,
one at a time, and ends with the request or the server.
"""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from agent_memory.base.errors import UsageError
from agent_memory.l10n import t
from agent_memory.lsp.features.feature import Feature
from agent_memory.lsp.features.prompt import PROJECT_KEYS, context
from agent_memory.lsp.transport.params import Params
from agent_memory.verify.answer import differing_texts, outcome, remarks, verified_json
from agent_memory.verify.compare import SECONDS, verify
from agent_memory.verify.process import Limit

if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer

    from agent_memory.config.context import Context
    from agent_memory.verify.compare import Verified

_STOP_SECONDS = 3.0
"""How long the server waits until the thread has ended the agent and removed its copied files."""


class VerifyRequest(Feature):
    """The request."""

    # Of the last agent; None: no agent was started. A canceled request is answered before its agent
    # has ended, so `_result`, which is done only after the end of the agent, says whether it runs.
    _limit: Limit | None = None
    _thread: threading.Thread | None = None
    _result: Future[Verified] | None = None

    def register(self, server: LanguageServer) -> None:
        """Register the request."""

        @server.feature("agentMemory/verify")
        async def answer(params: Any) -> dict[str, Any]:
            return await self._answer(Params(params, PROJECT_KEYS))

    def on_stop(self) -> None:
        """End the agent, if one is running, and wait until the files copied for it are removed."""
        if self._limit and self._thread and self._is_running():
            self._limit.canceled.set()
            self._thread.join(_STOP_SECONDS)

    async def _answer(self, params: Params) -> dict[str, Any]:
        """Start the agent once; return what it sent compared with the composed prompt, as JSON.

        Raises:
            BadParamsError, UsageError: the parameters are invalid, the workspace is not trusted,
                an agent is already running, the agent cannot be started or sends no request in
                time, or the cache folder cannot be written.

        """
        session = self.session
        if not session.capabilities.trusted:
            raise UsageError(t("an agent is started only in a trusted workspace"))
        if self._is_running():
            raise UsageError(t("an agent is already running; wait until it has ended"))
        ctx, runtime = context(session, params)
        # Settings of the project must not choose the program that is started.
        ctx = ctx.with_(settings=session.settings.without_trust(ctx.cwd))
        limit = self._limit = Limit(SECONDS)
        try:
            result = await asyncio.wrap_future(self._start(ctx, runtime, limit))
        finally:
            limit.canceled.set()  # if the request was canceled, its agent is still running
        self.events.changed()  # the preview shows the result
        allowed = ctx.settings.allowed_secrets
        answer = {**verified_json(result, allowed), "outcome": outcome(result)}
        return {**answer, "remarks": remarks(result), "texts": differing_texts(result, allowed)}

    def _is_running(self) -> bool:
        """Whether an agent is running or ending."""
        return self._result is not None and not self._result.done()

    def _start(self, ctx: Context, runtime: str | None, limit: Limit) -> Future[Verified]:
        """Start the agent in a thread, and return a future for its result or its error.

        The agent ends when ``limit`` is reached or canceled.
        """
        future: Future[Verified] = Future()
        # A running future cannot be canceled with the request, so `work` can always set its result.
        future.set_running_or_notify_cancel()

        def work() -> None:
            """Run the agent in the thread, and set its result or its error."""
            try:
                future.set_result(verify(ctx, runtime, limit))
            except Exception as error:  # noqa: BLE001 -- raised again in the loop
                future.set_exception(error)

        self._thread = threading.Thread(target=work, name="verify", daemon=True)
        self._thread.start()
        self._result = future
        return future
