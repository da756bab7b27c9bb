"""What ``verify`` reports: one sentence, remarks, and JSON without secrets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from agent_memory.base.model import Exactness
from agent_memory.l10n import t
from agent_memory.secrets import mask_parts
from agent_memory.verify.compare import Difference

if TYPE_CHECKING:
    from collections.abc import Collection

    from agent_memory.base.model import Block
    from agent_memory.verify.compare import Verified

_AROUND = 60
"""Characters that are shown on both sides of a difference."""


class BlockTexts(NamedTuple):
    """The texts of one block, whole or cut: in the preview, and in the request that was sent."""

    preview: str
    sent: str


def outcome(result: Verified) -> str:
    """Return the result as one sentence; as two if preview and request are equal.

    The second sentence says whether this makes the preview exact, or, if no memory was sent, that
    nothing was compared.
    """
    name = f"{result.runtime.title} {result.program.version or t('(unknown version)')}"
    difference = result.difference
    if difference:
        return t(
            "{0} sends something else than the preview shows, from byte {1:,} of block {2} on.",
            name,
            difference.byte,
            difference.block + 1,
        )
    if not result.blocks:
        return t("{0} sends no memory here, as the preview shows. Nothing was compared.", name)
    size = sum(map(_bytes, result.blocks))
    same = t("{0} sends exactly what the preview shows ({1:,} bytes).", name, size)
    effect = (
        t("This version is now exact on this machine.")
        if result.is_recorded
        else t("Its own texts were not found, so it stays {0}.", Exactness.OWN_WORDING)
    )
    return f"{same} {effect}"


def remarks(result: Verified) -> list[str]:
    """Return a sentence for each remark on the result; [] without any.

    Remarks are a copy with another preview than the project, and each refused host.
    """
    sentences = []
    if not result.same_copy:
        sentences.append(
            t(
                "the preview of the copy that was compared differs from that of the project, for "
                "example in the order of rules"
            )
        )
    sentences.extend(
        t("the agent tried to reach {0}, which was refused", host) for host in result.refused
    )
    return sentences


def around(result: Verified, allowed: Collection[str]) -> BlockTexts:
    """Return the texts of preview and request around the first difference.

    Secrets are masked except those with a SHA-256 hash in ``allowed``. Both texts are '' if preview
    and request are equal.
    """
    masked = _masked(result.difference, allowed)
    # The masked texts may differ at another position, or not at all: then their end is shown.
    excerpt = slice(max(0, masked.character - _AROUND), masked.character + _AROUND)
    return BlockTexts(masked.ours[excerpt], masked.sent[excerpt])


def verified_json(result: Verified, allowed: Collection[str]) -> dict[str, Any]:
    """Return the result as JSON. Secrets are masked except those with a hash in ``allowed``.

    ``difference`` is null if preview and request are equal. Its ``byte`` is the position in the
    texts before they are masked, its ``preview`` and ``sent`` are excerpts (:func:`around`).
    """
    difference: dict[str, Any] | None = None
    if result.difference:
        preview, sent = around(result, allowed)
        difference = {
            "block": result.difference.block,
            "byte": result.difference.byte,
            "preview": preview,
            "sent": sent,
        }
    return {
        "runtime": result.runtime.id,
        "version": result.program.version,
        "program": str(result.program.path),
        "equal": difference is None,
        "recorded": result.is_recorded,
        "sameCopy": result.same_copy,
        "blocks": [{"role": block.role, "bytes": _bytes(block)} for block in result.blocks],
        "difference": difference,
        "refused": list(result.refused),
    }


def differing_texts(result: Verified, allowed: Collection[str]) -> BlockTexts:
    """Return the whole texts of the first block that differs.

    Secrets are masked except those with a hash in ``allowed``. Both texts are '' if preview and
    request are equal.
    """
    masked = _masked(result.difference, allowed)
    return BlockTexts(masked.ours, masked.sent)


def _masked(difference: Difference | None, allowed: Collection[str]) -> Difference:
    """Return ``difference`` with masked texts, so that no excerpt has a part of a secret.

    ``allowed`` are SHA-256 hashes of secrets that are not masked. For None, both texts are ''.
    """
    if difference is None:
        return Difference(0, "", "")
    ours, sent = (mask_parts([text], allowed)[0] for text in (difference.ours, difference.sent))
    return Difference(difference.block, ours, sent)


def _bytes(block: Block) -> int:
    """Return the size of the text of ``block`` in UTF-8."""
    return len(block.text.encode("utf-8", "surrogatepass"))
