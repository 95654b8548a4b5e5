"""Owns what wikimill knows of hosts of pull and merge requests; no other package calls one."""
