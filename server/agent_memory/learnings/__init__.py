"""The memory files of Claude MPM agents: what they learned."""
