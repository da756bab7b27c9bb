"""What the secret rules say and offer. The value is in no message, title or data."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from agent_memory.base.model import Severity
from agent_memory.l10n import t
from agent_memory.lint.rule import LineFix, LineHit
from agent_memory.secrets import Confidence, Group, find_line
from agent_memory.secrets.passwords_in_prose import is_hinted
from agent_memory.secrets.vendor_tokens import CROWDED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.secrets import Secret

_LONG = 400
_SUSPECT = re.compile(r"[^\t\r\n -~]|\S{16}|passw|passphrase|://", re.IGNORECASE)
"""A character that may belong to a password's name in another script, a word long enough for a
token, a word for a password, or a URL."""


def may_hold_secret(line: str) -> bool:
    """Return False for a line in which no secret can be found: the rules' prefilter."""
    return len(line) >= _LONG or _SUSPECT.search(line) is not None or is_hinted(line)


def line_hits(line: str, group: Group) -> Iterator[LineHit]:
    """Report the secrets of ``group`` on ``line``, each with a way out."""
    for secret in find_line(line):
        if secret.group is group:
            doubtful = secret.confidence is Confidence.DOUBTFUL
            edit = (secret.start, secret.end, reference(secret))
            yield LineHit(
                secret.start,
                secret.end,
                message(secret),
                (LineFix(fix_title(secret), (edit,), safe=False),),
                Severity.WARNING if doubtful else None,
                data(secret),
            )


def message(secret: Secret) -> str:
    """Return what is there, what a runtime does with it, and the way out."""
    if secret.kind == CROWDED:
        return t(
            "Too many possible secrets from here on ({0}), so the rest is masked "
            "everywhere. Move this data to its own file and name that file here",
            secret.redacted,
        )
    what = secret.title
    if secret.group is not Group.PRIVATE_KEY:  # whose title says as much as its redaction
        what += f" {secret.redacted}"
    if secret.confidence is Confidence.DOUBTFUL:
        return t(
            "{0}, possibly an example (its checksum is invalid): memory is sent to the model with "
            "every request. Keep the value elsewhere and write {1} here",
            what,
            reference(secret),
        )
    return t(
        "{0}: memory is sent to the model with every request. Keep the value elsewhere and write "
        "{1} here",
        what,
        reference(secret),
    )


def fix_title(secret: Secret) -> str:
    """Return the title of the fix that puts a reference in the value's place."""
    return t("Replace {0} with {1}", secret.redacted, reference(secret))


def reference(secret: Secret) -> str:
    """Return how memory should name the secret: the variable that holds it."""
    return f"${secret.variable}"


def data(secret: Secret) -> dict[str, Any]:
    """Return what the faces need: nothing of the value but its SHA-256, to accept it by."""
    return {
        "secret": True,
        "kind": secret.kind,
        "redacted": secret.redacted,
        "sha256": secret.sha256,
    }
