"""Does the board show the position that it should, before a game or after an interruption?"""

from __future__ import annotations

from nardy_hw.referee.margins import DOUBT, SETUP_DOUBT, SETUP_SECONDS
from nardy_hw.referee.scene import Scene
from nardy_hw.rules.position import BAR, Position
from nardy_hw.vision.observation import Observation


class BoardCheck:
    """Looks at scenes for one position. fits: it was seen. wrong: the points that plainly are not so, 25 = the bar.

    wrong is told after SETUP_SECONDS of stillness, as people put checkers down one by one (A35).
    """

    def __init__(self, position: Position, white_is_light: bool) -> None:
        self.fits = False
        self.wrong: tuple[int, ...] = ()
        self._position = position
        self._white_is_light = white_is_light
        self._scene: Scene | None = None

    def observe(self, seen: Observation) -> bool:
        """Takes one more frame. True when `fits` or `wrong` is news."""
        if seen.hand or not seen.still or not seen.field_found:
            self._scene = None
            return False
        if self._scene is None:
            self._scene = Scene(self._white_is_light)
        self._scene.add(seen)
        if not self._scene.due() or self.fits:
            return False
        evidence = self._scene.evidence()
        costs = -evidence.points[range(24), [n + 15 for n in self._position.points]]
        bars = [-evidence.bar[side, self._position.bar[side]] for side in (0, 1)]
        self.fits = bool(costs.max() < DOUBT and max(bars) < DOUBT and not evidence.hidden.any())
        if self.fits:
            return True
        if seen.t - self._scene.began < SETUP_SECONDS:
            return False
        points = [i + 1 for i in range(24) if costs[i] >= SETUP_DOUBT] + [BAR] * bool(max(bars) >= SETUP_DOUBT)
        news = bool(points) and tuple(points) != self.wrong
        self.wrong = tuple(points)
        return news
