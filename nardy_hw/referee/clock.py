"""The game clock: a reserve for each player and a delay for each turn. Sans-I/O: every time is given, in seconds."""

from __future__ import annotations

from nardy_hw.rules.position import Player


class Clock:
    """reserve: seconds of each player's own. delay: the first seconds of each turn, which do not count.

    Nothing ends a game: a flag is told once, and the clock runs on. A time before the latest one that was told counts
    as that one, so that nobody wins time by it, nor pays twice.
    """

    def __init__(self, reserve: float, delay: float) -> None:
        self._left = dict.fromkeys(Player, reserve)
        self._delay = delay
        self._turn: Player | None = None  # whose turn it is, running or stopped
        self._running: Player | None = None
        self._latest = self._since = float("-inf")
        self._free = 0.0  # of this turn's delay
        self._fallen: set[Player] = set()
        self._told: set[Player] = set()

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

    def stop(self, t: float) -> None:
        """Nobody's time runs."""
        self._account(t)
        self._running = None

    def rest(self, t: float) -> None:
        """The turn is over, and nobody's begins: a game has ended, or the dice decide who is next."""
        self.stop(t)
        self._turn, self._free = None, 0.0

    def adjust(self, player: Player, seconds: float) -> None:
        """Gives him seconds of reserve, or takes them, down to none. Time that he had used beyond it is forgiven."""
        self._account(self._latest)
        self._left[player] = max(0.0, self._left[player] + seconds)
        if self._left[player] > 0:
            self._fallen.discard(player)
            self._told.discard(player)

    def restore(self, left: tuple[float, float]) -> None:
        """After an interruption, of any length and with times that may begin anew: the clock stands.

        left: White's and Black's reserve as last recorded; a flag at 0 counts as told.
        """
        self._left = dict(zip(Player, left, strict=True))
        self._turn, self._running, self._free = None, None, 0.0
        self._latest = self._since = float("-inf")
        self._fallen = {player for player in Player if not self._left[player]}
        self._told = set(self._fallen)

    def remaining(self, player: Player, t: float) -> float:
        """Seconds of his reserve that are left at t; never below 0."""
        if player is not self._running:
            return self._left[player]
        return max(0.0, self._left[player] - max(0.0, self._spent(t) - self._free))

    def delay_left(self, t: float) -> float:
        """Seconds of the turn, running or stopped, that still do not count."""
        return max(0.0, self._free - self._spent(t))

    def tick(self, t: float) -> list[Player]:
        """Whose flag has fallen since it was last asked; each is told once."""
        self._latest = max(self._latest, t)
        self._look()
        fallen = [player for player in Player if player in self._fallen - self._told]
        self._told.update(fallen)
        return fallen

    def _spent(self, t: float) -> float:
        """Seconds of the running turn since they were last accounted for."""
        return 0.0 if self._running is None else max(t, self._latest) - self._since

    def _look(self) -> None:
        """Has the running player used up his reserve? Not before the delay is over, even where there is none left."""
        player = self._running
        if player is not None and self._spent(self._latest) >= self._free + self._left[player]:
            self._fallen.add(player)

    def _account(self, t: float) -> None:
        """Takes from the running player what he has used until t."""
        self._latest = max(self._latest, t)
        self._look()
        if self._running is not None:
            self._left[self._running], self._free = self.remaining(self._running, t), self.delay_left(t)
        self._since = self._latest
