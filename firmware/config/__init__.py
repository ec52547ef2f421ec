"""Table and board files, read and checked; every problem at once, with file and line."""
