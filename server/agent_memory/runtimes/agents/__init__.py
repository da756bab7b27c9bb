"""Agents that people install for themselves, as programs, and the parts they share."""
