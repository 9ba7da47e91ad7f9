"""Pictures that a dispute can be settled by: the field before and after each turn, whole frames around each violation.

Files beside the record, evidence/MATCH/SECONDS-WHAT.jpg, and not rows in it: they may be lost or removed, and the
record stays small enough to copy. They are not synced one by one: a pulled plug may cost the last few.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from nardy_hw.errors import StoreError
from nardy_hw.record.store import Listed

FOLDER = "evidence"


@dataclass(frozen=True, slots=True)
class Evidence:
    """folder: of all matches' pictures. budget: bytes that they may take; 0 = none are kept."""

    folder: Path
    budget: int

    @classmethod
    def beside(cls, record: Path, budget: int) -> Evidence:
        """That of the record in this file."""
        return cls(record.parent / FOLDER, budget)

    def keep(self, match_id: int, t: float, what: str, jpeg: bytes) -> Path:
        """The new file. t: seconds, as of the event. what: 'before', 'after', 'violation'. Raises StoreError."""
        folder = self.folder / f"{match_id:05}"
        path = folder / f"{t:09.2f}-{what}.jpg"
        part = path.with_suffix(".part")
        try:
            folder.mkdir(parents=True, exist_ok=True)
            part.write_bytes(jpeg)
            part.replace(path)
        except OSError as error:
            raise StoreError(f"cannot keep the picture {path}: {error.strerror}") from None
        return path

    def size(self) -> int:
        """Bytes of all pictures."""
        return sum(map(_bytes, self._folders()))

    def prune(self, matches: Iterable[Listed]) -> tuple[int, int]:
        """Removes whole matches' pictures until the rest is within the budget: the oldest that are over first, then the
        oldest, the newest match's never. (matches, bytes) removed. Raises StoreError."""
        listed = list(matches)
        oldest = sorted(listed[:-1], key=lambda match: (not match.over, match.id))
        sizes = {folder.name: _bytes(folder) for folder in self._folders()}
        left, removed, freed = sum(sizes.values()), 0, 0
        for match in oldest:
            if left <= self.budget:
                break
            name = f"{match.id:05}"
            if name not in sizes:
                continue
            try:
                shutil.rmtree(self.folder / name)
            except OSError as error:
                raise StoreError(f"cannot remove pictures in {self.folder / name}: {error.strerror}") from None
            left, removed, freed = left - sizes[name], removed + 1, freed + sizes[name]
        return removed, freed

    def _folders(self) -> list[Path]:
        return [path for path in self.folder.iterdir() if path.is_dir()] if self.folder.is_dir() else []


def _bytes(folder: Path) -> int:
    return sum(entry.stat().st_size for entry in os.scandir(folder) if entry.is_file())
