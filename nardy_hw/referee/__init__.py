"""The referee: frames, throws and commands in, events out. No I/O, no clock of its own, no thread.

match      a whole match: set-up, games, cube, score, clock, corrections, the end
  states     its states as two tables, from which states.md is drawn
  standing   where it stands: its events, folded
  commands   what people say;  audience   who may hear what
  profile    the manners of the table (profiles/ has those of the rule books)
  clock, board_check
core       one game: what is seen and thrown -> rolls, plays, violations
  turns      the open turn and the one before;  judge   legal, illegal or unsure
  belief     how likely is a position, given what was seen;  margins   every number that this hangs on
  scene, throws, lying, contact, seats
events     all that is said;  text, words   the same for people
"""
