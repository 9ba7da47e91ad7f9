"""record: events to disk, disk to match files.

store    Store: the append-only log, durable when `append` returns
games    a match's events as games of turns
mat      short nardy for other programs     text     either game for people     board    a position in letters
"""
