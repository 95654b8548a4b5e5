"""Owns the wiki as it stands after what was landed: files of a base, and changes over them; reads nothing itself."""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, Mapping


class Overlay(Mapping[str, bytes]):
    """Files below the wiki's root by path; those of the base are read when they are asked for."""

    def __init__(self, base: Mapping[str, bytes]) -> None:
        self._base = base
        self._over: dict[str, bytes | None] = {}

    def copy(self) -> Overlay:
        """Give the wiki as it stands now, which later changes leave alone; the base must not change."""
        other = Overlay(self._base)
        other.put(self._over)
        return other

    def put(self, changes: Mapping[str, bytes | None]) -> None:
        """Lay changes over what stands; nothing stands for a file that goes."""
        self._over.update(changes)

    def __getitem__(self, path: str) -> bytes:
        if path in self._over:
            raw = self._over[path]
            if raw is None:
                raise KeyError(path)
            return raw
        return self._base[path]

    def __iter__(self) -> Iterator[str]:
        yield from (path for path in self._base if path not in self._over)
        yield from (path for path, raw in self._over.items() if raw is not None)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, path: object) -> bool:
        if path in self._over:
            return self._over[str(path)] is not None
        return path in self._base

    def items(self) -> ItemsView[str, bytes]:
        """Give all files; the base may read its own together, which is faster."""
        return _Items(self)

    def pairs(self) -> Iterator[tuple[str, bytes]]:
        """Give path and bytes of every file."""
        yield from ((path, raw) for path, raw in self._base.items() if path not in self._over)
        yield from ((path, raw) for path, raw in self._over.items() if raw is not None)


class _Items(ItemsView[str, bytes]):
    def __init__(self, overlay: Overlay) -> None:
        super().__init__(overlay)
        self._overlay = overlay

    def __iter__(self) -> Iterator[tuple[str, bytes]]:
        return self._overlay.pairs()
