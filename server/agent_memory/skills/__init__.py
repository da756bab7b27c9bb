"""Skills: discovery and SKILL.md files."""
