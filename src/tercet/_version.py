"""The version, in one place; the build backend reads it from here without importing anything."""

__version__ = "0.1.0.dev0"
