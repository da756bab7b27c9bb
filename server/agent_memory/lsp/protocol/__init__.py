"""Conversions between core values and LSP values."""
