"""The form of a raw result, of which `cargo xtask results` makes a table."""

import datetime
import json


def save(path, command, machine, note, rows):
    """Writes the rows of a benchmark; does nothing without a path."""
    if not path:
        return
    result = {"command": command, "date": datetime.date.today().isoformat(), "machine": machine, "note": note, "rows": rows}
    with open(path, "w") as file:
        json.dump(result, file, indent=1)
        file.write("\n")
