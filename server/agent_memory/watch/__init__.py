"""File watching: snapshots, events, one watcher."""
