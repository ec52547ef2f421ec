"""What a device says when it cannot do its work."""


class DeviceFault(Exception):
    """One line for a technician: what is wrong, where, and what to do."""
