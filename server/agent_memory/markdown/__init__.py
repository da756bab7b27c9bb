"""Markdown: parser, sections, links and inline text."""
