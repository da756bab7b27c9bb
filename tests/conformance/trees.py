"""The trees of files that every runtime is compared on: one file a topic, one table."""

from __future__ import annotations

from conformance import trees_contents, trees_links, trees_projects, trees_skills
from conformance.place import TREES

TOPICS = (trees_contents, trees_projects, trees_links, trees_skills)
"""Each adds its trees to the table when it is loaded."""

__all__ = ["TOPICS", "TREES"]
