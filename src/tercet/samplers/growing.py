"""How a row grows by one token: its mask, the token, and whether it is done.

What every sampler does alike, whatever it knows about the next tokens.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

import numpy as np

from tercet.errors import TercetError
from tercet.kernels.bits import unpacked
from tercet.samplers.network import Finish, Row, Tokens
from tercet.vocabulary.vocabulary import Vocabulary


def allowed_tokens(row: Row, size: int) -> Tokens:
    """Return the tokens that the row's matcher allows next, ascending."""
    if row.bits is None:  # once: a matcher is quicker with an array it knows
        row.bits = np.zeros((1, -(-size // 32)), np.int32)
    started = perf_counter()
    row.matcher.fill_bitmask(row.bits)
    row.mask_seconds += perf_counter() - started
    return np.flatnonzero(unpacked(row.bits, size))


def take(row: Row, token: int, vocabulary: Vocabulary) -> None:
    """Append the token that was chosen, and set `finish` if that was the last one."""
    row.steps += 1
    if token in vocabulary.eos:
        row.finish, row.end = whole(row), token
        return
    if len(row.tokens) == row.limit:
        row.finish = "length"  # the text could have ended here, but the model went on
        return
    started = perf_counter()
    row.matcher.advance(token)
    row.mask_seconds += perf_counter() - started
    row.tokens.append(token)
    if row.closing is not None:
        row.closing.took(token, row.matcher)
    if row.matcher.is_finished:
        row.finish = whole(row)
    elif len(row.tokens) == row.limit and not row.matcher.is_accepting:
        row.finish = "length"


def whole(row: Row) -> Finish:
    """How a text that is whole came to its end: by itself, or because it had to."""
    return "closed" if row.closing is not None and row.closing.interfered else "stop"


def room(row: Row) -> Callable[[int], bool] | None:
    """Return what says whether a token leaves room to finish; None where any may come."""
    return None if row.closing is None else row.closing.fits(row)


def check_width(width: int, vocabulary: Vocabulary) -> None:
    """Refuse scores that don't reach all tokens; wider ones only have padding."""
    if width < vocabulary.size:
        raise TercetError(
            f"the logits are narrower than the vocabulary: {width} against {vocabulary.size}",
            why="the model could never write the tokens beyond",
            hint="check that the tokenizer belongs to the model, or resize its embeddings",
        )
