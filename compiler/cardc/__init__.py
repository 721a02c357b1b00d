"""cardc: from .card files to a built game."""

__version__ = "0.1.0"
