"""The parameters of the tools: types with the descriptions that a model reads.

Requires ``pydantic``, which every framework for agents in Python brings.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from agent_memory.entries.validation import BODY_MAX, SUMMARY_MAX, TAGS_MAX
from agent_memory.recall.engine import LIMIT_MAX, QUERY_MAX

LIST_MAX = 200
"""The most entries in one list."""

EntryScope = Literal["global", "agent", "run"]
EntryKind = Literal["user", "feedback", "project", "reference"]
MemoryScope = Literal["project", "user"]

Text = Annotated[str, Field(description="The fact, one or a few sentences.")]
Scope = Annotated[
    MemoryScope,
    Field(
        description="project: how this project works. user: how this person likes to work, read in "
        "every project; only if the person allows it."
    ),
]
Section = Annotated[
    str,
    Field(
        description="The heading to add it under; empty: the best match. For Claude MPM also a "
        "learning type."
    ),
]
File = Annotated[
    str,
    Field(
        description="Instead of a scope: the path of a skill's SKILL.md, of a note that memory "
        "links to, or of another memory file of this project."
    ),
]
Evict = Annotated[
    bool,
    Field(description="Pass true only after you were told which items will be evicted."),
]
Redact = Annotated[
    bool, Field(description="Save the text with its secrets replaced by a placeholder.")
]
Summary = Annotated[
    str, Field(description=f"One line that says what the entry is about, up to {SUMMARY_MAX}.")
]
Body = Annotated[
    str,
    Field(
        description="The rule first, then a **Why:** and a **How to apply:** line. Up to "
        f"{BODY_MAX} characters, more for kind reference."
    ),
]
Kind = Annotated[
    EntryKind,
    Field(
        description="user: about the person. feedback: how to work, from a correction. project: a "
        "fact about the project. reference: where to find something."
    ),
]
Owner = Annotated[
    EntryScope,
    Field(description="global: every agent finds it. agent: only you. run: only this run."),
]
Tags = Annotated[tuple[str, ...], Field(description=f"Words to find it by, up to {TAGS_MAX}.")]
Replaces = Annotated[
    str, Field(description="The ID of an entry to replace; empty: save a new one.")
]
Id = Annotated[str, Field(description="The ID of the entry: 26 characters, from recall or a list.")]
Query = Annotated[
    str,
    Field(
        description="A question or words, in any language; empty: the latest entries. Up to "
        f"{QUERY_MAX} characters."
    ),
]
Scopes = Annotated[
    tuple[EntryScope, ...], Field(description="Only these scopes; empty: all that you may read.")
]
Kinds = Annotated[tuple[EntryKind, ...], Field(description="Only these kinds; empty: all.")]
AnyTags = Annotated[
    tuple[str, ...], Field(description="Only entries with any of these tags; empty: all.")
]
Limit = Annotated[
    int,  # the search checks it, with drover's message
    Field(
        description="The most entries to return.",
        json_schema_extra={"minimum": 1, "maximum": LIMIT_MAX},
    ),
]
ListLimit = Annotated[int, Field(description="The most entries to return.", ge=1, le=LIST_MAX)]
Days = Annotated[float, Field(description="Only entries not changed for so many days.", ge=0)]
UnusedDays = Annotated[
    float, Field(description="Only entries neither changed nor recalled for so many days.", ge=0)
]
NewSummary = Annotated[str | None, Field(description="The new summary; leave out to keep it.")]
NewBody = Annotated[str | None, Field(description="The new body; leave out to keep it.")]
NewKind = Annotated[EntryKind | None, Field(description="The new kind; leave out to keep it.")]
NewTags = Annotated[
    tuple[str, ...] | None, Field(description="All tags from now on; leave out to keep them.")
]
To = Annotated[
    MemoryScope,
    Field(description="project: memory of this project. user: the person's own memory."),
]
Keep = Annotated[bool, Field(description="Leave the entry where it is as well.")]
