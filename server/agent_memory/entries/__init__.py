"""Learned entries in drover's format: files, index, store."""
