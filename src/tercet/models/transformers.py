"""Language models of transformers behind the `Network` protocol.

Opening one (a hub name, a folder, a GGUF file, or a model that is there already), putting prompts
into its chat template. What remembers texts and steps through them is a session.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

from tercet.errors import TercetError
from tercet.models.transformers_head import Head, separate_head
from tercet.models.transformers_session import TransformersSession, can_retract
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

    @cached_property
    def _head(self) -> Head | None:
        return separate_head(self.model)

    @cached_property
    def _drafting(self) -> tuple[bool, bool]:
        """Whether the cache can be cut, for one row and for several."""
        cache = TransformersSession(self.model, [[0]], kept=[1]).cache
        return can_retract(cache, rows=1), can_retract(cache, rows=2)

    def takes_drafts(self, rows: int) -> bool:
        """Whether so many rows together can take back tokens; found out with a first token."""
        return self._drafting[rows > 1]

    def open(
        self, prompts: Sequence[Sequence[int]], drafts: Sequence[Sequence[int]] = ()
    ) -> TransformersSession:
        """Run the model over the prompts, each with its draft, padded on the left to one length."""
        if not drafts:
            return TransformersSession(self.model, prompts, head=self._head)
        texts = [[*prompt, *draft] for prompt, draft in zip(prompts, drafts, strict=True)]
        kept = [len(draft) + 1 for draft in drafts]
        return TransformersSession(self.model, texts, head=self._head, kept=kept)


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
