"""For every test: one thread, as in the app, and no time limits, which a busy machine would break."""

from __future__ import annotations

import os

from hypothesis import settings

os.environ.setdefault("OMP_NUM_THREADS", "1")
settings.register_profile("project", deadline=None)
settings.load_profile("project")
