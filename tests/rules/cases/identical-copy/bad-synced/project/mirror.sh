#!/bin/sh
# Sync .claude/agents with the team.
cp -r "$from" "$to"
