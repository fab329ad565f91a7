"""C1 at full size: `python -m tests.models.speculation_check [seeds]`, a thousand if not said.

Every drafter and all together, at temperatures 0, 0.7 and 1; some minutes, so it is no test.
"""

from __future__ import annotations

import sys

from tests.models.test_speculative import DRAFTERS, differences


def main() -> None:
    """Print how many texts differ, which is 0 of each."""
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    for name in (*DRAFTERS, "all"):
        for temperature in (0.0, 0.7, 1.0):
            count = differences(name, temperature, range(seeds))
            print(f"{name:10} temperature {temperature}: {count} of {seeds} differ", flush=True)


if __name__ == "__main__":
    main()
