"""The board without the board: its firmware in a simulated microcontroller, as a program beside this one."""
