"""The published site's search: words, their index, and the static files that a browser searches in."""
