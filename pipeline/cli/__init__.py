"""The door: arguments in, exit code out. `main` is what the command `wikimill` calls."""

from pipeline.cli.app import main

__all__ = ["main"]
