"""The part of a transformers model that turns hidden states into scores, on its own.

Under a mask only the rows of the allowed tokens are needed, and a guess that was wrong needs no
scores after it. So the body of the model runs over all tokens, and the head over what is asked
for. Whether body and head are all there is (some models scale or squash their scores) is tried out
once with a real input: where the scores differ, the model is run as a whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

_TRIED = 4  # tokens
_TOLERANCE = 1e-3  # of the largest score: half-precision kernels differ with the shape


@dataclass(frozen=True)
class Head:
    """The body of a model, the weights of its head, and its bias or None."""

    body: Any
    weight: Any
    bias: Any

    def scores(self, hidden: Any, ids: Any | None = None) -> Any:
        """Return the scores of all tokens, or of these: [..., dim] to [..., tokens]."""
        from torch.nn.functional import linear

        if ids is None:
            return linear(hidden, self.weight, self.bias)
        return linear(hidden, self.weight[ids], None if self.bias is None else self.bias[ids])


def separate_head(model: Any) -> Head | None:
    """Return the head of a causal language model, or None where it can't be had alone."""
    import torch

    body, head = getattr(model, "base_model", None), model.get_output_embeddings()
    if body is None or body is model or not isinstance(head, torch.nn.Linear):
        return None
    found = Head(body, head.weight, head.bias)
    ids = torch.arange(_TRIED, device=model.device).unsqueeze(0)
    with torch.inference_mode():
        try:
            whole = model(input_ids=ids, use_cache=False).logits
            parts = found.scores(body(input_ids=ids, use_cache=False).last_hidden_state)
        except (AttributeError, TypeError, RuntimeError):  # a body that wants or gives more
            return None
        if whole.shape != parts.shape:
            return None
        limit = _TOLERANCE * float(whole.abs().max().clamp(min=1.0))
        return found if float((whole - parts).abs().max()) <= limit else None
