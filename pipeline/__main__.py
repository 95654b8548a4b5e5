"""Lets `python -m pipeline` do what the command `wikimill` does."""

from __future__ import annotations

from pipeline.cli import main

if __name__ == "__main__":
    main()
