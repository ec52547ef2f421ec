"""Proofs over the running table: kill it, watch it, and put faults into it that must be found."""
