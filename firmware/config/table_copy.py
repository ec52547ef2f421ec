"""A table file as a journal kept it: the rules that were in force when a round was played."""

import tempfile
from pathlib import Path

from firmware.config.table_file import TableFile, load_table


def load_copy(table_text: str, board_text: str) -> TableFile:
    """Raises ConfigError where today's software no longer takes the file."""
    with tempfile.TemporaryDirectory(prefix="table-copy-") as folder:
        table, board = Path(folder) / "table.toml", Path(folder) / "board.toml"
        table.write_text(table_text)
        board.write_text(board_text)
        return load_table(table, board)
