"""Comparing the preview with the request of the installed agent, which is started once."""
