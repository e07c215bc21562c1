"""Serves recorded traffic through the real engine, with several drafters in turn: the engine's side of a benchmark."""
