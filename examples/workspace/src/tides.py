"""Tides from harmonic constants: the predictor is a pure function of constants and time."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Constituent:
    """One harmonic: amplitude in metres, speed in degrees an hour, phase in degrees."""

    amplitude: float
    speed: float
    phase: float


def height(mean: float, constituents: list[Constituent], hours: float) -> float:
    """Return metres above chart datum, `hours` after the epoch of the constants."""
    waves = (
        part.amplitude * math.cos(math.radians(part.speed * hours - part.phase))
        for part in constituents
    )
    return round(mean + sum(waves), 2)


# The gauge is read at the full hour, never between: see the survey office's handbook.
if __name__ == "__main__":
    moon = Constituent(amplitude=1.42, speed=28.984, phase=112.0)
    sun = Constituent(amplitude=0.51, speed=30.0, phase=151.0)
    for hour in range(0, 25, 3):
        print(f"{hour:02d}:00  {height(2.1, [moon, sun], hour):5.2f} m")
