"""Planning and writing the one edit that saves a snippet."""
