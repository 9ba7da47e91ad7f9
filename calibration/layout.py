"""Which place of the picture is which point of the board.

Places 1..24 are where the camera sees them: 1 = right end of the near side (bottom of the picture), 6 and 7 beside
the bar, 12 = left end near, 13 = left end far, 24 = right end far, opposite 1. Points 1..24 are the board's own
numbers, from White's side. `white_home` names the quarter where White's points 1-6 lie.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from calibration.errors import CalibrationFileError

WhiteHome = Literal["near-right", "near-left", "far-right", "far-left"]
Variant = Literal["short", "long"]
Half = Literal["left", "right"]
WHITE_HOMES: tuple[WhiteHome, ...] = get_args(WhiteHome)
VARIANTS: tuple[Variant, ...] = get_args(Variant)


@dataclass(frozen=True, slots=True)
class Layout:
    """How the table sits: the game, and where White's home lies. White sits at his home's side of the picture."""

    variant: Variant = "short"
    white_home: WhiteHome = "near-right"

    def __post_init__(self) -> None:
        if self.variant not in VARIANTS:
            raise CalibrationFileError(f"variant is one of {', '.join(VARIANTS)}, not {self.variant!r}")
        if self.white_home not in WHITE_HOMES:
            raise CalibrationFileError(f"white_home is one of {', '.join(WHITE_HOMES)}, not {self.white_home!r}")

    def place(self, point: int) -> int:
        """The place 1..24 of board point 1..24. Its own inverse for every white_home."""
        match self.white_home:
            case "near-right":
                return point
            case "near-left":
                return 13 - point if point <= 12 else 37 - point
            case "far-left":
                return point + 12 if point <= 12 else point - 12
            case "far-right":
                return 25 - point

    @property
    def opposite(self) -> Layout:
        """As the table sits once the players have changed seats: all is turned by half a turn."""
        end, side = self.white_home.split("-")
        home = f"{'far' if end == 'near' else 'near'}-{'left' if side == 'right' else 'right'}"
        return Layout(self.variant, home)  # type: ignore[arg-type]

    @property
    def white_half(self) -> Half:
        """The half of the picture that is White's right-hand half, where he throws; Black's is the other."""
        return "right" if self.white_home.startswith("near") else "left"
