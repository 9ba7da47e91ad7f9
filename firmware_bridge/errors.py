"""Everything that firmware_bridge raises on purpose.

BridgeError
└── FrameError  (ValueError)  bytes that are no frame, or a body that no frame can hold
"""


class BridgeError(Exception):
    """Base of all errors of this package."""


class FrameError(BridgeError, ValueError):
    """Bytes that are no frame, or a body that no frame can hold."""
