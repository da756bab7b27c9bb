#!/bin/sh
# mirror.sh - sync AGENTS.md with the CLAUDE.md of its folder
cp "$from" "$to"
