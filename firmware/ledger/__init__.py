"""The journal: everything that happened at the table, in order, and what follows from it."""
