"""The controller's side of the hardware, and the simulated twins that stand in for it."""
