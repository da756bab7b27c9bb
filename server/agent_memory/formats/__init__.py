"""Parsers of JSON, TOML and YAML with limits, for files that come with a repository."""
