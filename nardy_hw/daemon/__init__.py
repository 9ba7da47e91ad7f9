"""Wiring: a source, the eyes, the referee, the record and the page, in one loop."""
