"""Paths in memory files: whether the text claims them, and whether the project has or had them."""
