"""One module per language server feature."""
