#!/bin/sh
git diff --stat AGENTS.md CLAUDE.md
cp AGENTS.md build/
