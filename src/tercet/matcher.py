"""The state of one sequence under a constraint.

A `Matcher` remembers the states it came through, so going back is free, and states never change,
so a fork shares everything made so far. The engine's side of it is a cursor; here is what people
call, and what they are told when it doesn't go on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tercet.bitmask import Bitmask
from tercet.engines.forced import forced_tokens
from tercet.errors import TercetError, TokenRejectedError
from tercet.explanation import Explanation, explain_bytes, explain_token
from tercet.kernels.bits import unpacked

if TYPE_CHECKING:
    from tercet.engines.cursors import Cursor, Place
    from tercet.vocabulary.vocabulary import Vocabulary


class Matcher:
    """Follows one sequence of tokens; made by `Constraint.matcher`.

    >>> from tercet import Grammar, compile
    >>> from tercet.testing import byte_vocabulary
    >>> matcher = compile(Grammar.regex("ab?"), byte_vocabulary()).matcher()
    >>> matcher.advance(ord("a"))
    >>> matcher.text, matcher.is_accepting, matcher.is_finished
    (b'a', True, False)
    """

    __slots__ = ("_bitmask", "_cursor", "_vocabulary")

    def __init__(self, cursor: Cursor, vocabulary: Vocabulary) -> None:
        self._cursor = cursor
        self._vocabulary = vocabulary
        self._bitmask = Bitmask(vocabulary.size)

    @property
    def text(self) -> bytes:
        """The bytes so far; end-of-sequence tokens have none."""
        return self._vocabulary.decode(self._cursor.tokens)

    @property
    def tokens(self) -> list[int]:
        """The tokens so far: a copy."""
        return list(self._cursor.tokens)

    def place(self) -> Place:
        """A recognizer, and the state of the text in it: to look ahead byte by byte.

        States are hashable, and equal where texts can go on alike. They belong to that recognizer;
        a matcher may come back with another one when memory was let go.
        """
        return self._cursor.place()

    @property
    def is_accepting(self) -> bool:
        """Whether the text may stop here."""
        recognizer, state = self._cursor.place()
        return recognizer.is_accepting(state)

    @property
    def is_finished(self) -> bool:
        """Whether the text is complete and can't go on: nothing follows, or EOS has come."""
        if self._cursor.has_ended:
            return True
        recognizer, state = self._cursor.place()
        return recognizer.is_finished(state)

    def advance(self, token: int, /) -> None:
        """Move on by one token; a token that is refused changes nothing.

        Raises:
            TokenRejectedError: the mask forbids the token.
        """
        if not self._cursor.advance(token):
            raise self._rejection(token)

    def _rejection(self, token: int) -> TokenRejectedError:
        explanation = self.explain(token)
        return TokenRejectedError(
            f"token {token} is not allowed here",
            token=token,
            excerpt=explanation.line,
            span=explanation.span,
            why=explanation.reason,
            hint="take a token of the mask (fill_bitmask); the matcher is as it was before",
        )

    def accepts(self, tokens: Sequence[int], /) -> int:
        """How many of these tokens could be taken, one after another; nothing changes.

        >>> from tercet import Grammar, compile
        >>> from tercet.testing import byte_vocabulary
        >>> compile(Grammar.regex("ab?"), byte_vocabulary()).matcher().accepts(list(b"abb"))
        2
        """
        draft = _as_tokens(tokens)
        return sum(self._cursor.follow(draft, _in_line(len(draft)), 0, 0))

    def mask(self) -> NDArray[np.bool_]:
        """The allowed tokens, one bool each: [size]."""
        row = np.zeros((self._vocabulary.size + 31) // 32, np.int32)
        self.fill_bitmask(row)
        return unpacked(row, self._vocabulary.size)

    def fill_bitmask(self, out: Any, /, row: int = 0) -> bool:
        """Write the allowed tokens into one row of packed bits: [rows, words] or [words] int32.

        Bit ``token % 32`` of word ``token // 32``; `out` is a C-contiguous numpy array or CPU
        tensor. Words beyond the vocabulary are cleared. After EOS only EOS is left. Returns
        whether anything is forbidden, which is always so: special tokens are never text.

        Raises:
            TercetError: `out` has another type or shape, or `row` is not in it.
        """
        self._cursor.fill(self._bitmask.row(out, row))
        return True

    def mask_path(self, tokens: Sequence[int], out: Any, /) -> int:
        """Write the masks before each of these tokens and after the last; nothing changes.

        Row i of `out` is for the place after i tokens, so one more row than tokens is needed. At
        the first token that is refused it stops, and leaves the rows from there on as they were.
        Returns how many tokens can be taken: what a draft model proposed is verified in one call.

        >>> from tercet import Grammar, compile
        >>> from tercet.testing import byte_vocabulary
        >>> rows = np.zeros((4, 9), np.int32)
        >>> compile(Grammar.regex("ab?"), byte_vocabulary()).matcher().mask_path(list(b"abb"), rows)
        2

        Raises:
            TercetError: `out` has another type or shape, or too few rows.
        """
        return sum(self._masks_along(tokens, _in_line(len(tokens)), out))

    def mask_tree(self, tokens: Sequence[int], parents: Sequence[int], out: Any, /) -> list[bool]:
        """Write the masks at every place of a tree of drafted tokens; nothing changes.

        Token i comes after token parents[i], which must stand before it, or after this place if
        that is -1. Row 0 of `out` is for this place, row i + 1 for the place after token i. Returns
        for each token whether it can be taken; rows of those that can't are left as they were.

        >>> from tercet import Grammar, compile
        >>> from tercet.testing import byte_vocabulary
        >>> matcher = compile(Grammar.regex("ab?"), byte_vocabulary()).matcher()
        >>> rows = np.zeros((4, 9), np.int32)
        >>> matcher.mask_tree(list(b"abx"), [-1, 0, 0], rows)
        [True, True, False]

        Raises:
            TercetError: `out` has another type or shape, or too few rows; or it is no tree.
        """
        order = np.array(parents, np.int32)
        if (
            len(order) != len(tokens)
            or (order < -1).any()
            or (order >= np.arange(len(order))).any()
        ):
            raise TercetError(
                "the tokens and their parents are not a tree",
                why="each token has one parent: -1, or the place of an earlier token",
            )
        return self._masks_along(tokens, order, out)

    def _masks_along(
        self, tokens: Sequence[int], parents: NDArray[np.int32], out: Any
    ) -> list[bool]:
        first = int(self._bitmask.rows(out, np.arange(len(tokens) + 1))[0])
        return self._cursor.follow(_as_tokens(tokens), parents, first, self._bitmask.stride)

    def forced(self) -> list[int]:
        """The tokens that the grammar leaves no choice about, split as the tokenizer does.

        Taking them is the same as letting the model choose among the mask, up to how the model
        would have split the same text. Where the tokenizer is not known, only tokens that are the
        sole one allowed.
        """
        if self.is_finished:
            return []
        recognizer, state = self._cursor.place()
        return forced_tokens(recognizer, self._vocabulary, state, self._cursor.tokens)

    def rollback(self, count: int = 1, /) -> None:
        """Take back the last `count` tokens.

        Raises:
            TercetError: there are fewer tokens than that.
        """
        if not 0 <= count <= self._cursor.length:
            raise TercetError(
                f"can't take back {count} tokens", why=f"{self._cursor.length} have been taken"
            )
        self._cursor.rollback(count)

    def fork(self) -> Matcher:
        """An independent matcher at the same place."""
        return Matcher(self._cursor.fork(), self._vocabulary)

    def explain(self, token: int | str | bytes, /) -> Explanation:
        """Why a token or a text is or isn't allowed next; `print` it.

        >>> from tercet import compile
        >>> from tercet.testing import byte_vocabulary
        >>> print(compile(bool, byte_vocabulary()).matcher().explain("tree"))
        'tree' is rejected at byte 3 of 4
            tree
              ^
        allowed there: 'u'
        """
        recognizer, state = self._cursor.place()
        if isinstance(token, int):
            has_ended = self._cursor.has_ended
            return explain_token(recognizer, self._vocabulary, state, token, has_ended=has_ended)
        data = token.encode() if isinstance(token, str) else token
        return explain_bytes(recognizer, state, data, repr(token))

    def __repr__(self) -> str:
        return f"<Matcher at {self.text[-40:]!r}>"


def _as_tokens(tokens: Sequence[int]) -> NDArray[np.int64]:
    return np.ascontiguousarray(tokens, np.int64)


def _in_line(count: int) -> NDArray[np.int32]:
    """The parents of tokens that follow one another."""
    return np.arange(-1, count - 1, dtype=np.int32)
