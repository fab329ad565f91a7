"""Language models of transformers behind the `Network` protocol.

Opening one (a hub name, a folder, a GGUF file, or a model that is there already), putting prompts
into its chat template, and stepping it with a KV cache. Sampling and masks are elsewhere.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tercet.errors import TercetError
from tercet.samplers.network import Scores
from tercet.vocabulary.vocabulary import Vocabulary

_UNBOUNDED = 1 << 40  # tokens, for models that name no longest text


class TransformersNetwork:
    """A causal language model with its tokenizer."""

    def __init__(self, model: Any, tokenizer: Any, *, chat: bool | None = None) -> None:
        self.model = model.eval()
        self.tokenizer = tokenizer
        self.vocabulary = Vocabulary.from_transformers(
            tokenizer,
            size=_logits_width(model),
            generation_config=getattr(model, "generation_config", None),
        )
        config = model.config.get_text_config()
        self.context_size: int = (
            getattr(config, "max_position_embeddings", None)
            or getattr(config, "n_positions", None)
            or _UNBOUNDED
        )
        self._chat = bool(tokenizer.chat_template) if chat is None else chat

    def encode(self, prompt: Any) -> list[int]:
        """Return the tokens of a text or of messages, in the chat template where there is one."""
        if isinstance(prompt, str) and not self._chat:
            ids: list[int] = list(self.tokenizer(prompt)["input_ids"])
        else:
            ids = self._chat_tokens(prompt)
        start = self.tokenizer.bos_token_id
        if not ids and start is None:
            raise TercetError("the prompt is empty", hint="give the model something to go on")
        return ids or [start]

    def _chat_tokens(self, prompt: Any) -> list[int]:
        messages = [{"role": "user", "content": prompt}] if isinstance(prompt, str) else prompt
        if not isinstance(messages, Sequence) or not all(
            isinstance(message, dict) and "role" in message for message in messages
        ):
            raise TercetError(
                f"a prompt can't be a {type(prompt).__name__}",
                hint='pass a text, or messages: [{"role": "user", "content": "..."}]',
            )
        if not self.tokenizer.chat_template:
            raise TercetError(
                "the model has no chat template",
                why="so it isn't known how it reads messages",
                hint="pass the prompt as one text, or set tokenizer.chat_template",
            )
        ids: list[int] = self.tokenizer.apply_chat_template(
            list(messages), add_generation_prompt=True, tokenize=True, return_dict=False
        )
        return ids

    def open(self, prompts: Sequence[Sequence[int]]) -> TransformersSession:
        """Run the model over the prompts, padded on the left to one length."""
        return TransformersSession(self.model, prompts)


class TransformersSession:
    """Rows in one KV cache. Padding is on the left, so that all rows grow at the same end."""

    def __init__(self, model: Any, prompts: Sequence[Sequence[int]]) -> None:
        import torch

        self._model = model
        self._takes = inspect.signature(model.forward).parameters.keys()
        self._cache: Any = None
        longest = max(map(len, prompts))
        gaps = [longest - len(prompt) for prompt in prompts]
        ids = [[0] * gap + list(prompt) for gap, prompt in zip(gaps, prompts, strict=True)]
        attended = [[0] * gap + [1] * (longest - gap) for gap in gaps]
        self._attended = torch.tensor(attended, device=model.device)
        self._forward(torch.tensor(ids, device=model.device))

    def _forward(self, ids: Any) -> None:
        import torch

        inputs: dict[str, Any] = {"input_ids": ids, "use_cache": True, "return_dict": True}
        if not bool(self._attended.all()):
            positions = (self._attended.cumsum(-1) - 1).clamp(min=0)[:, -ids.shape[1] :]
            inputs |= {"attention_mask": self._attended, "position_ids": positions}
        # "past_key_values" is what older versions call the cache
        cache = "cache" if "cache" in self._takes else "past_key_values"
        inputs |= {cache: self._cache, "logits_to_keep": 1}
        known = {name: value for name, value in inputs.items() if name in self._takes}
        with torch.inference_mode():
            output = self._model(**known)
        self._cache = getattr(output, cache, None)
        if self._cache is None:
            raise TercetError(
                f"{type(self._model).__name__} keeps no cache of keys and values",
                why="without one every token would cost a run over the whole text",
                hint="use a decoder-only attention model",
            )
        self._logits = output.logits[:, -1]

    def scores(self) -> Scores:
        """Return the last logits of each row as float32 on the host."""
        logits: Scores = self._logits.float().cpu().numpy()
        return logits

    def feed(self, tokens: Sequence[int]) -> None:
        """Append one token to each row and run the model once."""
        import torch

        column = torch.tensor(tokens, device=self._attended.device).unsqueeze(1)
        self._attended = torch.cat([self._attended, torch.ones_like(column)], dim=1)
        self._forward(column)

    def keep(self, rows: Sequence[int]) -> None:
        """Drop the other rows from the cache."""
        import torch

        chosen = torch.tensor(rows, device=self._attended.device)
        self._attended = self._attended[chosen]
        with torch.inference_mode():
            self._cache.batch_select_indices(chosen)


def open_transformers(
    source: str, *, device: str | None = None, dtype: Any = None, chat: bool | None = None
) -> TransformersNetwork:
    """Load a hub name, a folder or a GGUF file.

    Without `device`, a CUDA device is used where there is one. Without `dtype`, the CPU computes in
    float32, whose results depend least on the batch, and other devices in the model's own type.

    Raises:
        TercetError: there is no such model, or it isn't a causal language model.
    """
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    device = device or ("cuda" if torch.cuda.is_available() else "cpu")
    dtype = dtype or ("float32" if torch.device(device).type == "cpu" else "auto")
    place, options = _place(source)
    try:
        with _bars(shown=not Path(place).is_dir()):
            tokenizer = AutoTokenizer.from_pretrained(place, **options)
            model = AutoModelForCausalLM.from_pretrained(place, dtype=dtype, **options)
    except (OSError, ValueError, ImportError) as error:
        raise TercetError(
            f"can't load the model {source!r}",
            why=str(error),
            hint="pass a hub name, a folder of save_pretrained, a .gguf file, or "
            "load((model, tokenizer))",
        ) from error
    return TransformersNetwork(model.to(device), tokenizer, chat=chat)


@contextmanager
def _bars(*, shown: bool) -> Iterator[None]:
    """Show transformers' progress bars for downloads only; a folder is loaded in a second."""
    from transformers.utils import logging

    if shown or not logging.is_progress_bar_enabled():
        yield
        return
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.enable_progress_bar()


def _place(source: str) -> tuple[str, dict[str, str]]:
    if not source.endswith(".gguf"):
        return source, {}
    path = Path(source)
    if not path.is_file():
        raise TercetError(
            "there is no such GGUF file", at=source, hint="check the path, or download the file"
        )
    return str(path.parent), {"gguf_file": path.name}


def _logits_width(model: Any) -> int | None:
    head = model.get_output_embeddings()
    weight = getattr(head, "weight", None)
    return None if weight is None else int(weight.shape[0])
