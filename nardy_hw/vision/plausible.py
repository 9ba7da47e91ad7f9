"""Why nothing can be read, in words: of a picture before it is read, and of what was read.

Figures: 122 renders and photographs (stills, games, calibration pictures), each as it is, with noise of 15 grey levels,
at 0.6 and 1.4 times its light, and as a JPEG of quality 30.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

WIDTH = 320
"""Pixels, about, of the small picture that is judged: a blur that matters is wider than one of them, noise is not."""

DARKEST = 26
"""Grey level that the brightest 2% must reach. The pictures: 79 at least, 33 at a quarter of their light."""

PALEST = 180
"""Grey level that the darkest 2% must not reach. The pictures: 97 at most."""

GLARE = 0.8
"""Share of burnt-out pixels that a picture may have. The pictures: 0.55 at most."""

CONTRAST = 20
"""Grey levels between the darkest and the brightest 2% at least. The pictures: 61 at least, 25 at a quarter of their
light; a hand or a cap on the lens leaves a few."""

SHARP = 0.25
"""Finest contrast at least, as a part of the one next to it: edges have much of both. The pictures: 0.53 at least, 0.50
at a tenth of their light; blurred by 3 px of 960: 0.23 at least, by 4 px: 0.24 at most."""

NOISE = 2.0
"""The same ratio at most. The pictures: 1.19 at most, 1.7 where burnt out; pure noise: 2.3 at least up to 1280x960."""


def unreadable(picture: NDArray[np.uint8]) -> str:
    """Why no board could be read in this picture (BGR), whatever it shows; "" when one could."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    step = max(1, round(grey.shape[1] / WIDTH))
    height, width = (n // step for n in grey.shape)
    small = cv2.resize(grey[: height * step, : width * step], (width, height), interpolation=cv2.INTER_AREA)
    dark, bright = (int(v) for v in np.percentile(small[::2, ::2], (2, 98)))
    if bright < DARKEST:
        return "the picture is too dark: more light is needed, or the lens is covered"
    if dark > PALEST or (small >= 250).mean() > GLARE:
        return "the picture is washed out: it needs less light or a shorter exposure"
    if bright - dark < CONTRAST:
        return "the picture shows next to nothing: is the lens covered?"
    near = cv2.blur(small, (3, 3))
    wide = cv2.blur(small, (9, 9))
    fine, coarse = (np.percentile(cv2.absdiff(a, b)[::2, ::2], 98) for a, b in ((small, near), (near, wide)))
    if fine < SHARP * (coarse + 1):
        return "the picture is blurred: is the camera in focus, and its lens clean?"
    if fine > NOISE * (coarse + 1):
        return "the picture is noise: is the camera's cable seated?"
    return ""
