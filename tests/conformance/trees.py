"""The trees that every runtime is compared on: one module per topic, one table."""

from __future__ import annotations

from conformance import trees_contents, trees_links, trees_projects, trees_skills
from conformance.place import TREES

TOPICS = (trees_contents, trees_projects, trees_links, trees_skills)
"""Each module adds its trees to the table when it is imported."""

__all__ = ["TOPICS", "TREES"]
