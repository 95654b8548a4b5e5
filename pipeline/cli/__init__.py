"""The door: arguments in, exit code out. `main` is what the command `wikimill` calls."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; an interrupt while the code is still being loaded ends it with an exit code as well."""
    try:
        from pipeline.cli.app import main as run  # noqa: PLC0415  # loading takes a moment
    except KeyboardInterrupt:
        sys.exit(130)
    run()
