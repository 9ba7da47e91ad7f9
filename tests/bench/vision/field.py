"""Is the field found without corners?"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np

from calibration.errors import CalibrationError
from tests.bench.vision.drawing import Failures
from tests.bench.vision.report import Report, Share, progress
from tests.bench.vision.truth import Scene

CLOSE = 0.015
"""Of the picture's diagonal, within which each corner must lie."""

FOUND = 0.95


def report_field(report: Report, name: str, scenes: Sequence[Scene], failures: Failures) -> None:
    """Finds the field of each picture. Says so where the product cannot do that yet."""
    try:
        from calibration.find import find_field
    except ImportError:
        report.notes.append(f"{name}: finding the field is skipped: there is no calibration.find")
        return
    found, accepted, said = Share(), Share(), Counter[str]()
    errors = []
    for scene in progress(scenes, f"field of {name}"):
        picture = scene.picture
        diagonal = math.hypot(*picture.shape[:2])
        try:
            field = find_field(picture)
        except CalibrationError:
            field = None
        if field is None:
            said["refused"] += 1
            found.add(False)
            failures.add(f"field/{name}", scene.path.stem, scene, [], "refused")
            continue
        apart = np.hypot(*(np.asarray(field.corners) - np.array(scene.corners)).T) / diagonal
        right = bool(apart.max() < CLOSE)
        found.add(right)
        errors.append(float(apart.max()))
        said["accepted" if field.sure else "doubtful"] += 1
        if field.sure:
            accepted.add(right)
        if not right:
            marks = [((float(x), float(y)), "x") for x, y in field.corners]
            caption = f"{apart.max():.1%} {'sure' if field.sure else 'doubtful'}"
            failures.add(f"field/{name}", scene.path.stem, scene, marks, caption)
    report.share(f"{name}: fields found to 1.5% of the diagonal", found, FOUND)
    report.most(
        f"{name}: wrong among the accepted fields",
        accepted.of - accepted.got,
        0,
        f"{accepted.of - accepted.got} of {accepted.of}",
    )
    median = f"{np.median(errors):.2%}" if errors else "-"
    report.notes.append(f"{name}: fields {dict(said)}, worst corner of a field {median} of the diagonal in the median")
