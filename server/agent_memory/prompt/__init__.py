"""The composed prompt, current and at a git revision."""
