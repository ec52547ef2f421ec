"""Rounds as scripts that read like their chapters."""
