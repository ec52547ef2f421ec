"""Performance, each figure beside what it is compared with."""
