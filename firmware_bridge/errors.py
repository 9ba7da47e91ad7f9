"""Everything that firmware_bridge raises on purpose.

BridgeError
├── FrameError   (ValueError)       bytes that are no frame, or a body that no frame can hold
├── LinkError    (ConnectionError)  no board is there, or it cannot be used: what to do is said
└── BuildError   (RuntimeError)     the firmware or its simulator cannot be built here
"""


class BridgeError(Exception):
    """Base of all errors of this package."""


class FrameError(BridgeError, ValueError):
    """Bytes that are no frame, or a body that no frame can hold."""


class LinkError(BridgeError, ConnectionError):
    """No board is there, or it cannot be used."""


class BuildError(BridgeError, RuntimeError):
    """The firmware or its simulator cannot be built here."""
