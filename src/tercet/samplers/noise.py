"""Random numbers that depend on nothing but where they are used.

Token `t` at position `p` of row `r` gets the same Gumbel noise for the same seed, whatever was
drawn before, in whatever batch. Adding it to log-probabilities and taking the greatest is an exact
draw (the Gumbel-max trick); because the noise is known by its place, an output that is guessed
ahead can be checked against it. This file draws; it knows no mask and no model.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def gumbel(seed: int, row: int, position: int, ids: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return the noise of some tokens at one place.

    >>> low, high = gumbel(7, 0, 3, np.arange(100)), gumbel(7, 0, 3, np.array([99, 7]))
    >>> bool((high == low[[99, 7]]).all())
    True
    >>> bool((gumbel(7, 0, 3, np.arange(100)) == gumbel(7, 0, 4, np.arange(100))).any())
    False
    """
    place = np.array([0, 0, position, row], np.uint64)  # the low words count the draws
    source = np.random.Philox(key=seed % 2**128, counter=place)
    words = source.random_raw(int(ids.max()) + 1)[ids]
    uniform = ((words >> np.uint64(11)) + 0.5) * 2.0**-53  # in (0, 1), ends excluded
    noise: NDArray[np.float64] = -np.log(-np.log(uniform))
    return noise
