"""What one sees first."""

from __future__ import annotations

from demo.lab import Lab

LAB = Lab("start", "Start", "", "home", "What this is, with one translation playing.")
