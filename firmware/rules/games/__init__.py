"""One module a game: what its hands are worth and how its wagers are settled."""
