"""The composed prompt, now and at a git revision."""
