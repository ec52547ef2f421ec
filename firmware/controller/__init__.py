"""Where rules meet devices: one loop that turns events into decisions, records and effects."""
