"""What people run on a laptop or a server; none of it is needed on the board."""
