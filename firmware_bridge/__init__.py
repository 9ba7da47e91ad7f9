"""firmware_bridge: what the daemon and the table's electronics say to each other.

protocol   numbers and letters of both sides of the serial line, from protocol.toml; protocol.md is for people
frames     the language of the line
session    the host's side of it: commands answered, events once each, everything restored. Sans-I/O
link       the session on a real port, found, followed and never given up
dice       one event for every die that speaks for itself, and when two of them are a throw
contact    one event for every button, and when a bouncing contact is pressed
ble        Bluetooth dice;  gpio  buttons, buzzer and light on the Pi's own pins
firmware/  the board's side, in C for an ATmega328P;  flash  puts it there
sim/       the same firmware in a simulated microcontroller, and a board in Python that stands in for it
"""
