"""Files: reading, atomic writing, locks, git and the project's file index."""
