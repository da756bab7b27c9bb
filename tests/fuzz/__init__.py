"""Fuzzing with seeded generators: ``make fuzz``. Findings are kept as tests in cases.py."""
