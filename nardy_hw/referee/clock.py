"""The game clock: a reserve for each player and a delay for each turn. Sans-I/O: every time is given, in seconds."""

from __future__ import annotations

from nardy_hw.rules.position import Player


class Clock:
    """reserve: seconds of each player's own. delay: the first seconds of each turn, which do not count.

    Nothing ends a game: a flag is told once, and the clock runs on. Times that go backwards count as no time at all.
    """

    def __init__(self, reserve: float, delay: float) -> None:
        self._left = dict.fromkeys(Player, reserve)
        self._delay = delay
        self._turn: Player | None = None  # whose turn it is, running or stopped
        self._running: Player | None = None
        self._since = 0.0
        self._free = 0.0  # of this turn's delay
        self._fallen: set[Player] = set()

    @property
    def running(self) -> Player | None:
        """Whose time runs."""
        return self._running

    def start(self, player: Player, t: float) -> None:
        """His turn begins, or goes on where it was stopped."""
        self._account(t)
        if player is not self._turn:
            self._free = self._delay
        self._turn = self._running = player
        self._since = t

    def stop(self, t: float) -> None:
        """Nobody's time runs."""
        self._account(t)
        self._running = None

    def adjust(self, player: Player, seconds: float) -> None:
        """Gives him seconds of reserve, or takes them."""
        self._left[player] = max(0.0, self._left[player] + seconds)
        if self._left[player] > 0:
            self._fallen.discard(player)

    def restore(self, left: tuple[float, float]) -> None:
        """After an interruption: White's and Black's reserve as last recorded; the clock stands."""
        self._left = dict(zip(Player, left, strict=True))
        self._fallen = {player for player in Player if not self._left[player]}
        self._turn = self._running = None

    def remaining(self, player: Player, t: float) -> float:
        """Seconds of his reserve that are left at t; never below 0."""
        if player is not self._running:
            return self._left[player]
        return max(0.0, self._left[player] - max(0.0, max(0.0, t - self._since) - self._free))

    def delay_left(self, t: float) -> float:
        """Seconds of the running turn that still do not count."""
        return 0.0 if self._running is None else max(0.0, self._free - max(0.0, t - self._since))

    def tick(self, t: float) -> list[Player]:
        """Whose flag has fallen since it was last asked; each is told once."""
        player = self._running
        if player is None or player in self._fallen or self.remaining(player, t) > 0:
            return []
        self._fallen.add(player)
        return [player]

    def _account(self, t: float) -> None:
        """Takes from the running player what he has used until t."""
        if self._running is None:
            return
        left, free = self.remaining(self._running, t), self.delay_left(t)
        self._left[self._running], self._free, self._since = left, free, max(t, self._since)
