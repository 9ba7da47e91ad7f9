"""firmware_bridge: what the daemon and the board's microcontroller say to each other over a serial line.

protocol   numbers and letters of both sides, from protocol.toml; protocol.md is for people
frames     the language of the line
session    the host's side of it: commands answered, events once each, everything restored. Sans-I/O
firmware/  the board's side, in C for an ATmega328P
sim/       the same firmware in a simulated microcontroller
"""
