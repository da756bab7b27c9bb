"""Markdown: scanner, sections, links and inline text."""
