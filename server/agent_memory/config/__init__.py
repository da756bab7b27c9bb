"""Settings, context, trust and the project root."""
