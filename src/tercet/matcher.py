"""The state of one sequence under a constraint.

A `Matcher` remembers the states it came through, so going back is free, and states never change,
so a fork shares everything made so far. It is the only place that knows end-of-sequence tokens:
to the engines a text just stops.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tercet.bitmask import RowWriter
from tercet.engines.forced import forced_tokens
from tercet.errors import TercetError, TokenRejectedError
from tercet.explanation import Explanation, explain_bytes, explain_token
from tercet.kernels.bits import unpacked

if TYPE_CHECKING:
    from tercet.engines.select import Recognizer
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

    __slots__ = ("_recognizer", "_states", "_tokens", "_vocabulary", "_writer")

    def __init__(self, recognizer: Recognizer, vocabulary: Vocabulary) -> None:
        self._recognizer = recognizer
        self._vocabulary = vocabulary
        self._states: list[Any] = [recognizer.start()]
        self._tokens: list[int] = []
        self._writer = RowWriter(recognizer, vocabulary.size)

    @property
    def text(self) -> bytes:
        """The bytes so far; end-of-sequence tokens have none."""
        return self._vocabulary.decode(self._tokens)

    @property
    def tokens(self) -> list[int]:
        """The tokens so far: a copy."""
        return list(self._tokens)

    @property
    def state(self) -> Any:
        """Where the text stands, hashable: the same for texts that can go on alike.

        Only for matchers of one constraint; `recognizer` knows what may follow it.
        """
        return self._states[-1]

    @property
    def recognizer(self) -> Recognizer:
        """The engine behind the constraint, which all its matchers share."""
        return self._recognizer

    @property
    def is_accepting(self) -> bool:
        """Whether the text may stop here."""
        return self._recognizer.is_accepting(self._states[-1])

    @property
    def is_finished(self) -> bool:
        """Whether the text is complete and can't go on: nothing follows, or EOS has come."""
        return self._has_ended() or self._recognizer.is_finished(self._states[-1])

    def _has_ended(self) -> bool:
        return bool(self._tokens) and self._tokens[-1] in self._vocabulary.eos

    def advance(self, token: int, /) -> None:
        """Move on by one token; a token that is refused changes nothing.

        Raises:
            TokenRejectedError: the mask forbids the token.
        """
        after = self._after(token)
        if after is None:
            raise self._rejection(token)
        self._states.append(after)
        self._tokens.append(token)

    def _after(self, token: int) -> Any | None:
        state = self._states[-1]
        if token in self._vocabulary.eos:
            return state if self._recognizer.is_accepting(state) and not self._has_ended() else None
        return None if self._has_ended() else self._recognizer.advance(state, token)

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
        taken = 0
        try:
            for token in tokens:
                after = self._after(token)
                if after is None:
                    break
                self._states.append(after)
                self._tokens.append(token)
                taken += 1
        finally:
            self.rollback(taken)
        return taken

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
        if self._has_ended():
            self._writer.write_tokens(self._vocabulary.eos, out, row)
        else:
            self._writer.write(self._states[-1], out, row)
        return True

    def forced(self) -> list[int]:
        """The tokens that the grammar leaves no choice about, split as the tokenizer does.

        Taking them is the same as letting the model choose among the mask, up to how the model
        would have split the same text. Where the tokenizer is not known, only tokens that are the
        sole one allowed.
        """
        if self.is_finished:
            return []
        return forced_tokens(self._recognizer, self._vocabulary, self._states[-1], self._tokens)

    def rollback(self, count: int = 1, /) -> None:
        """Take back the last `count` tokens.

        Raises:
            TercetError: there are fewer tokens than that.
        """
        if not 0 <= count <= len(self._tokens):
            raise TercetError(
                f"can't take back {count} tokens", why=f"{len(self._tokens)} have been taken"
            )
        if count:
            del self._states[-count:]
            del self._tokens[-count:]

    def fork(self) -> Matcher:
        """An independent matcher at the same place."""
        twin = Matcher.__new__(Matcher)
        twin._recognizer, twin._vocabulary = self._recognizer, self._vocabulary
        twin._states, twin._tokens = self._states.copy(), self._tokens.copy()
        twin._writer = RowWriter(self._recognizer, self._vocabulary.size)
        return twin

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
        if isinstance(token, int):
            has_ended = self._has_ended()
            return explain_token(
                self._recognizer, self._vocabulary, self._states[-1], token, has_ended=has_ended
            )
        data = token.encode() if isinstance(token, str) else token
        return explain_bytes(self._recognizer, self._states[-1], data, repr(token))

    def __repr__(self) -> str:
        return f"<Matcher at {self.text[-40:]!r}>"
