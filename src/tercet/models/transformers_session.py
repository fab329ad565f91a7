"""Rows in one cache of keys and values: several tokens at a time, and back again.

Rows may take different numbers of tokens and forget different numbers. A cache can only be cut for
all rows at once, so what one row has forgotten and another hasn't stays as a hole: a column that
the row doesn't attend to, and that counts for no position. Columns that are holes for all rows are
cut off.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tercet.errors import TercetError
from tercet.models.transformers_head import Head
from tercet.samplers.network import Place, Scores

_NARROW = 8  # rows of the head are picked out when they are less than 1/8 of all


class TransformersSession:
    """Some texts and what the model remembers of them; see `samplers.network.DraftSession`."""

    def __init__(
        self,
        model: Any,
        prompts: Sequence[Sequence[int]],
        *,
        head: Head | None = None,
        kept: Sequence[int] | None = None,
    ) -> None:
        import torch

        self._model, self._head = model, head
        self._run = model if head is None else head.body
        self._takes = inspect.signature(self._run.forward).parameters.keys()
        # "past_key_values" is what older versions call the cache
        self._cache_name = "cache" if "cache" in self._takes else "past_key_values"
        self.cache: Any = None if kept is None else _recording_cache(model)
        longest = max(map(len, prompts))
        gaps = [longest - len(prompt) for prompt in prompts]
        ids = [[0] * gap + list(prompt) for gap, prompt in zip(gaps, prompts, strict=True)]
        attended = [[0] * gap + [1] * (longest - gap) for gap in gaps]
        self._attended = torch.tensor(attended, device=model.device)
        self._kept = [1] * len(prompts) if kept is None else list(kept)
        self._width = max(self._kept)
        self._first = [self._width - count for count in self._kept]
        self._forward(torch.tensor(ids, device=model.device))

    def _forward(self, ids: Any) -> None:
        import torch

        inputs: dict[str, Any] = {"input_ids": ids, "use_cache": True, "return_dict": True}
        if not bool(self._attended.all()):
            positions = (self._attended.cumsum(-1) - 1).clamp(min=0)[:, -ids.shape[1] :]
            inputs |= {"attention_mask": self._attended, "position_ids": positions}
        inputs |= {self._cache_name: self.cache, "logits_to_keep": self._width}
        known = {name: value for name, value in inputs.items() if name in self._takes}
        with torch.inference_mode():
            output = self._run(**known)
        self.cache = getattr(output, self._cache_name, None)
        if self.cache is None:
            raise TercetError(
                f"{type(self._model).__name__} keeps no cache of keys and values",
                why="without one every token would cost a run over the whole text",
                hint="use a decoder-only attention model",
            )
        # what comes out of the last columns: hidden states, or scores where there is no head
        last = output.logits if self._head is None else output.last_hidden_state
        self._last = last[:, -self._width :]

    def scores(self) -> Scores:
        """Return the last scores of each row on the host."""
        import torch

        rows = list(range(len(self._kept)))
        ends = [first + count - 1 for first, count in zip(self._first, self._kept, strict=True)]
        with torch.inference_mode():
            last = self._last[rows, ends]
            return _on_host(last if self._head is None else self._head.scores(last))

    def scores_at(self, places: Sequence[Place]) -> list[Scores]:
        """Return scores after tokens of the last block, for some ids of each place."""
        import torch

        if not places:
            return []
        rows = [place.row for place in places]
        columns = [self._first[place.row] + place.token for place in places]
        with torch.inference_mode():
            states = self._last[rows, columns]
            if self._head is None:
                found = _on_host(states)
                return [found[i][place.ids] for i, place in enumerate(places)]
            return self._from_head(self._head, states, [place.ids for place in places])

    def _from_head(
        self, head: Head, states: Any, wanted: Sequence[NDArray[np.intp]]
    ) -> list[Scores]:
        """Wide places share one run of the head; narrow ones only need some of its rows."""
        import torch

        width = head.weight.shape[0]
        wide = [i for i, ids in enumerate(wanted) if len(ids) * _NARROW > width]
        whole = dict(zip(wide, _on_host(head.scores(states[wide])), strict=True)) if wide else {}
        return [
            whole[i][ids]
            if i in whole
            else _on_host(head.scores(states[i], torch.from_numpy(ids).to(states.device)))
            for i, ids in enumerate(wanted)
        ]

    def feed(self, tokens: Sequence[int]) -> None:
        """Append one token to each row and run the model once."""
        self.extend([[token] for token in tokens])

    def extend(self, blocks: Sequence[Sequence[int]]) -> None:
        """Append some tokens to each row, at least one, and run the model once."""
        import torch

        self._kept = [len(block) for block in blocks]
        self._width, self._first = max(self._kept), [0] * len(blocks)
        ids = [list(block) + [0] * (self._width - len(block)) for block in blocks]
        fresh = [[1] * count + [0] * (self._width - count) for count in self._kept]
        device = self._attended.device
        self._attended = torch.cat([self._attended, torch.tensor(fresh, device=device)], dim=1)
        self._forward(torch.tensor(ids, device=device))

    def retract(self, counts: Sequence[int]) -> None:
        """Forget the last tokens of each row, as many as `counts` says."""
        import torch

        with torch.inference_mode():
            # how many tokens of the row stand at or behind a column
            behind = self._attended.flip(-1).cumsum(-1).flip(-1)
            gone = torch.tensor(counts, device=self._attended.device).unsqueeze(1)
            attended = self._attended * (behind > gone)
            last = int(attended.any(0).nonzero().max()) + 1
            self.cache.crop(last - attended.shape[1])  # also when 0: windows are cut here
            self._attended = attended[:, :last]

    def keep(self, rows: Sequence[int]) -> None:
        """Drop the other rows from the cache."""
        import torch

        chosen = torch.tensor(rows, device=self._attended.device)
        self._attended = self._attended[chosen]
        self._last = self._last[chosen]
        self._kept = [self._kept[row] for row in rows]
        self._first = [self._first[row] for row in rows]
        with torch.inference_mode():
            self.cache.batch_select_indices(chosen)

    @property
    def joins(self) -> bool:
        """Whether the cache is nothing but keys and values of all columns."""
        layers = getattr(self.cache, "layers", None) or [None]
        return all(type(layer).__name__ == "DynamicLayer" for layer in layers)

    def join(self, other: TransformersSession) -> None:
        """Append the rows of another session, on the right of what only others attend to."""
        import torch

        ours, theirs = self._needed(), other._needed()
        width = max(ours.shape[0], theirs.shape[0])
        with torch.inference_mode():
            parts = [(self, ours), (other, theirs)]
            self._attended = torch.cat([_moved(s._attended, c, width, 1) for s, c in parts])
            for mine, other_layer in zip(self.cache.layers, other.cache.layers, strict=True):
                layers = [(mine, ours), (other_layer, theirs)]
                mine.keys = torch.cat([_moved(one.keys, c, width, 2) for one, c in layers])
                mine.values = torch.cat([_moved(one.values, c, width, 2) for one, c in layers])
        self._kept += other._kept
        self._first += other._first
        self._last = self._last[:0]  # of different widths; tokens come next anyway

    def _needed(self) -> Any:
        """The columns that any row attends to."""
        return self._attended.any(0).nonzero().squeeze(1)


def _moved(block: Any, columns: Any, width: int, axis: int) -> Any:
    """Some columns of a block, behind as many empty ones as make up the width."""
    import torch

    block = block.index_select(axis, columns)
    shape = list(block.shape)
    shape[axis] = width - shape[axis]
    return torch.cat([block.new_zeros(shape), block], dim=axis)


_RECORDING = "activate_past_recording"


def can_retract(cache: Any, *, rows: int) -> bool:
    """Whether tokens can be cut off a cache: not where a state sums up all that came before.

    With several rows there are holes; a window is counted in columns, so it mustn't have any.
    """
    layers = getattr(cache, "layers", None)
    if not layers or not all(getattr(layer, "is_croppable", False) for layer in layers):
        return False
    slides = any(getattr(layer, "is_sliding", False) for layer in layers)
    return not slides or (rows == 1 and hasattr(cache, _RECORDING))


def _recording_cache(model: Any) -> Any:
    """A cache that remembers what slides out of its windows, until it is told what to forget.

    None lets the model make its own, which does for models without windows.
    """
    kinds = set(getattr(model.config.get_text_config(), "layer_types", None) or ())
    if "sliding_attention" not in kinds or not kinds <= {"sliding_attention", "full_attention"}:
        return None
    from transformers import DynamicCache

    cache = DynamicCache(config=model.config)
    if hasattr(cache, _RECORDING):
        cache.activate_past_recording()
    return cache


def _on_host(scores: Any) -> Scores:
    """Float32, or float64 where the model computes in it."""
    import torch

    found: Scores = (scores if scores.dtype == torch.float64 else scores.float()).cpu().numpy()
    return found
