"""State of one session: documents, projects, positions."""
