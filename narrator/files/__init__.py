"""Files that narrator writes: whole or not at all, or line by line, as the journals of long runs."""
