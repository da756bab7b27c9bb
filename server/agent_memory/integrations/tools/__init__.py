"""Memory as tools for agents: plain functions with described parameters, and what MCP offers."""
