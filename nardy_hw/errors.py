"""Everything that nardy_hw raises on purpose.

    NardyError
    ├── PositionError   (ValueError)  a position that cannot be on a board
    ├── DiceError       (ValueError)  dice that cannot be thrown
    ├── NotationError   (ValueError)  a play, Position ID or XGID that cannot be read
    ├── MatchError      (ValueError)  a step that a match cannot take where it stands
    ├── RefusedError    (ValueError)  a command that cannot be followed now, with the reason
    ├── InputError      (ValueError)  a file or line of input that is not what it should be
    ├── SourceError     (OSError)     a camera, video or picture that gives no frames
    ├── StoreError      (OSError)     the record cannot be opened, read or written
    │   └── RecordDamaged             what it holds is not what was written
    └── ExportError     (ValueError)  a match that a file format cannot hold

Each message is one line: what is wrong, where, and what to do. The command line prints it and exits 2.
"""


class NardyError(Exception):
    """Base of all errors of this package."""


class PositionError(NardyError, ValueError):
    """A position that cannot be on a board."""


class DiceError(NardyError, ValueError):
    """Dice that cannot be thrown."""


class NotationError(NardyError, ValueError):
    """A play, Position ID or XGID that cannot be read."""


class MatchError(NardyError, ValueError):
    """A step that a match cannot take where it stands."""


class RefusedError(NardyError, ValueError):
    """A command that cannot be followed now."""


class InputError(NardyError, ValueError):
    """A file or line of input that is not what it should be."""


class SourceError(NardyError, OSError):
    """A camera, video or picture that gives no frames."""


class StoreError(NardyError, OSError):
    """The record cannot be opened, read or written."""


class RecordDamaged(StoreError):
    """What the record holds is not what was written."""


class ExportError(NardyError, ValueError):
    """A match that a file format cannot hold."""
