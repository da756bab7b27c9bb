"""Search over learned entries."""
