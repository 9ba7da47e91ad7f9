"""One picture of a source, and what all sources share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

Size = tuple[int, int]
"""(width, height) in pixels."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """t: seconds since the source began. number: from 0. picture: BGR uint8, shape (height, width, 3)."""

    t: float
    number: int
    picture: NDArray[np.uint8]


class Closing:
    """`with` support for sources: closes at the end."""

    def close(self) -> None:
        """Lets go of the device or file."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()
