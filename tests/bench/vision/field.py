"""Is the field found without corners?"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np

from calibration.errors import CalibrationError
from tests.bench.vision.drawing import Failures
from tests.bench.vision.report import Report, Share, between, progress
from tests.bench.vision.truth import Scene

CLOSE = 0.015
"""Of the picture's diagonal, within which each corner must lie."""

BINS = (0.0, 0.5, 0.8, 0.9, 0.95, 0.99, 1.0)


def report_field(report: Report, name: str, scenes: Sequence[Scene], failures: Failures) -> None:
    """Finds the field of each picture. Says so where the product cannot do that yet."""
    try:
        from calibration.find import find
        from calibration.find_trays import find_trays
    except ImportError:
        report.notes.append(f"{name}: finding the field is skipped: there is no calibration.find")
        return
    found, accepted, said = Share(), Share(), Counter[str]()
    trays, taken = Share(), Share()
    errors, honest = [], defaultdict[str, Share](Share)
    for scene in progress(scenes, f"field of {name}"):
        picture = scene.picture
        if scene.trays is not None:
            beside = find_trays(picture, np.array(scene.corners, np.float32)).trays
            trays.add(beside == scene.trays)
            if beside is not None:
                taken.add(beside == scene.trays)
        diagonal = math.hypot(*picture.shape[:2])
        try:
            field = find(picture)
        except CalibrationError:
            field = None
        if field is None or field.corners is None:
            said["refused"] += 1
            found.add(False)
            failures.add(f"field/{name}", scene.path.stem, scene, [], field.doubt if field else "refused")
            continue
        apart = np.hypot(*(np.asarray(field.corners) - np.array(scene.corners)).T) / diagonal
        right = bool(apart.max() < CLOSE)
        found.add(right)
        honest[between(field.sure, BINS)].add(right)
        errors.append(float(apart.max()))
        said["doubtful" if field.doubt else "accepted"] += 1
        if not field.doubt:
            accepted.add(right)
        if not right:
            marks = [((float(x), float(y)), "x") for x, y in field.corners]
            caption = f"{apart.max():.1%} off, {field.sure:.2f} sure. {field.doubt}"
            failures.add(f"field/{name}", scene.path.stem, scene, marks, caption)
    report.share(f"{name}: fields found to 1.5% of the diagonal", found)
    report.most(
        f"{name}: wrong among the accepted fields",
        accepted.of - accepted.got,
        0,
        f"{accepted.of - accepted.got} of {accepted.of}",
    )
    if trays.of:
        report.share(f"{name}: trays found, the field known", trays)
        report.most(
            f"{name}: wrong among the trays taken", taken.of - taken.got, 0, f"{taken.of - taken.got} of {taken.of}"
        )
    lines = [(said_sure, str(share)) for said_sure, share in sorted(honest.items())]
    report.table(f"Fields of {name}: said and right", ("said", "right"), lines)
    median = f"{np.median(errors):.2%}" if errors else "-"
    report.notes.append(f"{name}: fields {dict(said)}, worst corner of a field {median} of the diagonal in the median")
