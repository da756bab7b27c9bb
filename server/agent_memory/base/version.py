"""The version of Agent Memory, and the address of its repository."""

__version__ = "0.1.0"
REPOSITORY = "https://github.com/agent-memory/agent-memory"
"""The only place in the server; vscode-extension/package.json must have the same."""
RULE_PAGE = f"{REPOSITORY}/blob/main/docs/rules/{{code}}.md"
"""The address of the page of a rule on the web."""
