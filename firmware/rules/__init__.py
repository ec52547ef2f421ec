"""The rule core: pure. Cards, wagers and decisions go in; verdicts come out, each with its clause."""
