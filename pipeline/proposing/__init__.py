"""Owns how a run's commits become one proposal, and how a proposal goes on: where git, the host and the run meet."""
