"""Other programs: MCP clients and LangChain."""
