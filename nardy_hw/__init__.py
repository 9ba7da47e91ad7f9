"""nardy_hw: a referee for nardy on a real wooden board.

A map for newcomers, in the order in which things flow:

    vision    pictures in, `Observation` out: what is seen, how likely; knows no rules
    rules     positions, legal plays, and why a play is illegal; pure
    referee   the table's true state; sans-I/O: observations and dice in, events out
    record    events to disk, disk to match files
    announce  what the table is told without a screen: the lights at the points
    web       the page that shows it
    daemon    threads and wiring: a source, the eyes, what is connected, the referee, the record, the page
    cli       the commands

`calibration` and `firmware_bridge` stand beside this package and import nothing of it.
Imports point down only: cli > daemon > web > record, announce > referee > vision > rules > errors.
"""

__version__ = "0.1.0"
