"""Messages and fixes of the secret rules. No message, title or data contains the value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agent_memory.base.model import Severity
from agent_memory.l10n import t
from agent_memory.lint.rule import LineFix, LineHit
from agent_memory.secrets import Confidence, Group, find_line
from agent_memory.secrets.vendor_tokens import TOO_DENSE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.secrets import Secret


def line_hits(line: str, group: Group) -> Iterator[LineHit]:
    """Report the secrets of ``group`` on ``line``, each with a fix."""
    for secret in find_line(line):
        if secret.group is group:
            is_doubtful = secret.confidence is Confidence.DOUBTFUL
            edit = (secret.start, secret.end, reference(secret))
            yield LineHit(
                secret.start,
                secret.end,
                message(secret),
                fixes=(LineFix(fix_title(secret), (edit,), safe=False),),
                severity=Severity.WARNING if is_doubtful else None,  # None: that of the rule
                data=data(secret),
            )


def message(secret: Secret) -> str:
    """Return the message: the kind of secret, its effect, and what to do."""
    if secret.kind == TOO_DENSE:
        return t(
            "Too many possible secrets ({0})\n"
            "This text may be masked as a whole. Move this data to its own file and name that file "
            "here.",
            secret.redacted,
        )
    what = secret.title
    if secret.group is not Group.PRIVATE_KEY:  # its title and `redacted` both say "private key"
        what += f" {secret.redacted}"
    if secret.confidence is Confidence.DOUBTFUL:
        return t(
            "{0} in memory, possibly an example (a check of its form fails)\n"
            "It is sent to the model with every request. Keep the value elsewhere and write "
            "{1} here.",
            what,
            reference(secret),
        )
    return t(
        "{0} in memory\n"
        "It is sent to the model with every request. Keep the value elsewhere and write {1} "
        "here.",
        what,
        reference(secret),
    )


def fix_title(secret: Secret) -> str:
    """Return the title of the fix that replaces the value with a reference."""
    return t("Replace {0} with {1}", secret.redacted, reference(secret))


def reference(secret: Secret) -> str:
    """Return the reference to write in memory: the variable of the secret."""
    return f"${secret.variable}"


def data(secret: Secret) -> dict[str, Any]:
    """Return the data of the finding, without the value.

    Users accept the value by its SHA-256. ``redacted`` shows at most its prefix and length.
    """
    return {
        "secret": True,  # the baseline and the editor recognize these findings by it
        "kind": secret.kind,
        "redacted": secret.redacted,
        "sha256": secret.sha256,
    }
