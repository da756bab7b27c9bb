"""Learned memory of Claude MPM agents."""
