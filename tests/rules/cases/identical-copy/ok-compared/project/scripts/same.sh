#!/bin/sh
cmp "$1/AGENTS.md" "$1/CLAUDE.md"
