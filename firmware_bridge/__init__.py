"""firmware_bridge: what the daemon and the board's microcontroller say to each other over a serial line."""
