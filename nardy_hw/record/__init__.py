"""record: events to disk, disk to match files.

store    Store: the append-only log, durable when `append` returns
games    a match's events as games of turns       columns   games of turns as two columns
mat      short nardy for other programs           moves     a turn as the moves that other programs will follow
text     either game for people                   jsonl     everything, one event a line
board    a position in letters
"""
