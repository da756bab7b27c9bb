"""The linter: engine, rules, suppressions, baseline, fixes."""
