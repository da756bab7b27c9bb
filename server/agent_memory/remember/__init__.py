"""Planning where a snippet is saved."""
