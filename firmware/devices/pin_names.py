"""What the lines of a board are called, in board files, in edges and in faults."""

LOCKOUT_BUTTON = "lockout_button"
LOCKOUT_LAMP = "lockout_lamp"
FLOOR_KEY = "floor_key"
DOOR = "door"


def seat_sensor_name(seat: int) -> str:
    return f"seat_{seat}_sensor"


def seat_lamp_name(seat: int) -> str:
    return f"seat_{seat}_lamp"


def pin_names(seats: int) -> tuple[str, ...]:
    """Every line of a board with that many seats."""
    numbers = range(1, seats + 1)
    return (
        *(seat_sensor_name(seat) for seat in numbers),
        *(seat_lamp_name(seat) for seat in numbers),
        LOCKOUT_BUTTON,
        LOCKOUT_LAMP,
        FLOOR_KEY,
        DOOR,
    )


def is_lamp(name: str) -> bool:
    """Lamps are outputs; every other line is an input."""
    return name.endswith("_lamp")
