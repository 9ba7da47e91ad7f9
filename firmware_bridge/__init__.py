"""firmware_bridge: what the daemon and the board's microcontroller say to each other over a serial line.

`frames` is the language of that line; the link, the board and the firmware are built on it.
"""
