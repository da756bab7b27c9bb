"""The version of Agent Memory, and the address of its repository."""

__version__ = "0.1.0"
REPOSITORY = "https://github.com/agent-memory/agent-memory"
"""The only place in the server with this address; vscode-extension/package.json has the same."""
RULE_PAGE = f"{REPOSITORY}/blob/main/docs/rules/{{code}}.md"
"""The address of a rule's page on the web; ``{code}`` stands for the rule's code."""
