"""Whose checkers: the board as a whole decides, since a single point cannot know which of two colours is the lighter.

Three things speak of a strip's colour: the network's own word, whether its checkers look like those of other strips
(the network's `looks`), and, once the checkers of this board are known, their tone. Once the bare board is known too,
tones also tell how far its checkers reach.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.field import EDGE, HEIGHT, LENGTH, MARGIN, PLACES, POINT, RAIL_NEAR, REACH, STRIPS, WIDTH, Picture
from calibration.file import Appearance

Array = NDArray[np.float32]

ALIKE = 3.0
"""Two strips' checkers are of one colour when their looks are nearer than this (squared): learnt with this constant."""

TOGETHER = 3.0
"""Weight of all other strips together: nats that they say at most is about three times this."""

ROUNDS = 6

COLOUR_FLOOR = -4.0
"""The network's word on a colour alone is wrong 1 time in 50 on boards that it has never seen; strangers in a column
of the other side's it hardly knows."""

SLOTS = 5
"""Checkers that lie in a column before the next ones go on top."""

BRIGHT_SPREAD, HUE_SPREAD = 0.25, 0.08
"""Log units by which checkers of one colour differ on one board, in brightness (glare, shadow) and in hue."""

GLARE = 0.12
"""Log units by which a place must outshine the light checkers to be a lamp's image, which has no colour to tell. Chosen
by eye (a glossy red column in one game is 0.2 above); it changed no figure of the four games."""

TONE_MOST = 12.0
"""Nats that a tone may say; the network's own word is worth 2 to 10."""


LOOSE = 0.5, 0.2
"""The spreads by which a place is told to be bare or not: light changes what board and checkers look like unalike.
Games, with four changes of light and bumps: with the narrower ones above 3 in 100 places of one game were wrong by more
than a nat; with these 1 in 100 of none, and half of all checkers still stand out from the board by two."""

SLOT_MOST = 3.0
"""Nats that one checker's place may say about whether one lies there. Games, dice
given: with 3 one illegal turn in 20 more gets its right code than with 2, and one point in 6,400 more is misread."""


def settle(alone: Array, looks: Array, there: Array) -> Array:
    """(26,) nats for 'light' of each strip, from all strips together (mean field).

    alone: (26,) nats for 'light' of the strip by itself. looks: (26, LOOKS). there: (26,) probability of checkers.
    """
    apart = ((looks[:, None] - looks[None]) ** 2).sum(-1)
    like = np.clip(ALIKE - apart, -ALIKE, ALIKE) * there[None]
    np.fill_diagonal(like, 0)
    like *= TOGETHER / max(float(there.sum()), 1.0)
    nats = alone
    for _ in range(ROUNDS):
        nats = alone + like @ np.tanh(nats / 2)
    return np.asarray(nats, np.float32)


def lean(tone: Array, appearance: Appearance) -> Array:
    """(26, SLOTS) nats for 'light' of the checker in each slot, by this board's own; zero where it is not known."""
    if appearance.tones is None:
        return np.zeros(tone.shape[:2], np.float32)
    light, dark = (np.array(t, np.float32) for t in appearance.tones)
    nats = np.clip(_distance(tone, dark) - _distance(tone, light), -TONE_MOST, TONE_MOST)
    nats[tone.mean(2) > light.mean() + GLARE] = 0
    nats[24:] = 0  # on the bar nobody knows where a checker lies
    return np.asarray(nats, np.float32)


def standing(tone: Array, appearance: Appearance) -> Array:
    """(24, 16) nats for 0..15 checkers, by how far the bare board is hidden; zero where it is not known.

    tone: (26, SLOTS, 3) of `tones`.
    """
    nats = np.zeros((24, 16), np.float32)
    if appearance.tones is None or not appearance.ground:
        return nats
    light, dark = (_distance(tone[:24], np.array(t, np.float32), LOOSE) for t in appearance.tones)
    bare = _distance(tone[:24], np.array(appearance.ground, np.float32).reshape(24, SLOTS, 3), LOOSE)
    nats[:, 1 : SLOTS + 1] = np.clip(bare - np.minimum(light, dark), -SLOT_MOST, SLOT_MOST).cumsum(1)
    nats[:, SLOTS + 1 :] = nats[:, SLOTS : SLOTS + 1]
    return nats


def told(colour: Array, nats: Array) -> Array:
    """(26, 16, 3): log-probabilities of light, dark, mixed, were there 0..15 checkers.

    colour: (26, 3) for the strip as a whole. nats: `lean`. The first and the outermost checker are asked: a stranger
    comes last.
    """
    colour = np.maximum(colour, COLOUR_FLOOR)
    first, every = nats[:, 0], []
    for n in range(16):
        last = nats[:, min(max(n, 1), SLOTS) - 1]
        like, unlike = (first + last) / 2, np.abs(first - last) / 2
        every.append(log_softmax(colour + np.stack([like, -like, unlike if n > 1 else -np.abs(like)], 1)))
    return np.stack(every, 1)


def tones(cut: Picture, field: Picture, radius: float) -> Array:
    """(26, SLOTS, 3): blue, green, red of each checker's place from the rail, by those of the field, as logs.

    cut: from calibration.field.sides. radius: a checker's, as a fraction of the field's width.
    """
    scale = LENGTH / (REACH + RAIL_NEAR)  # strip rows by heights of the field
    rows = radius * WIDTH / HEIGHT * scale
    # three quarters of a checker, and the median of it: a lamp's image in its middle has no colour
    half, across = max(2, round(rows * 0.75)), POINT // 3
    board = field[MARGIN : MARGIN + HEIGHT, MARGIN : MARGIN + WIDTH].mean((0, 1))
    middles = LENGTH - 1 - np.round(RAIL_NEAR * scale + rows * (2 * np.arange(SLOTS) + 1)).astype(int)
    y = np.clip(middles[:, None] + np.arange(-half, half + 1), 0, LENGTH - 1)
    x = EDGE + POINT * np.arange(len(PLACES[0]))[:, None] + POINT // 2 + np.arange(-across, across)
    patches = cut[:, y[None, :, :, None], x[:, None, None, :]]  # (sides, columns, SLOTS, rows, across, 3)
    found = np.log(np.median(patches.reshape(STRIPS, SLOTS, -1, 3), axis=2) + 4) - np.log(board + 4)
    return np.asarray(found[np.argsort(np.array(PLACES).ravel())], np.float32)


def _distance(tone: Array, of: Array, spreads: tuple[float, float] = (BRIGHT_SPREAD, HUE_SPREAD)) -> Array:
    """Minus the log-likelihood of each (..., 3) tone under a colour's, up to a constant."""
    off = tone - of
    bright = off.mean(-1, keepdims=True)
    apart = (bright[..., 0] / spreads[0]) ** 2 + (((off - bright) / spreads[1]) ** 2).sum(-1)
    return np.asarray(apart / 2, np.float32)


def log_softmax(x: Array) -> Array:
    """Along the last axis of (n, k)."""
    x = x - x.max(1, keepdims=True)
    return np.asarray(x - np.log(np.exp(x).sum(1, keepdims=True)), np.float32)
