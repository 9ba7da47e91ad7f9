"""record: events to disk, disk to match files and back.

store       Store: the append-only log, durable when `append` returns
games       a match's events as games of turns      columns     games of turns as two columns
formats     what a match can be written in and read from: mat (and Snowie text), sgf, jsonl, text, each with its reader
moves       a turn as the moves that other programs will follow
transcript  what a file tells, as the events that the referee would have said
board       a position in letters                   fairness    are the dice fair?
"""
