"""Owns options that several commands share; knows no command."""

from __future__ import annotations

import click

json_option = click.option("--json", "as_json", is_flag=True, help="Give the result as JSON, for machines.")
