"""The simulator's truth files: what happened on its devices, read (reader) and checked for consistency (check)."""
