"""JSONSchemaBench's own measures, on a real model: engines inside `transformers.generate`.

For each schema the engines take turns: compile, then let SmolLM2-135M answer a prompt with the
schema in it, greedily, through each engine's logits processor. Of arXiv 2501.10868:

- grammar compilation time; time to first token, compiling and reading the prompt included; time
  per output token after that; and beside them what the processor took of each token;
- declared coverage: schemas that the engine compiles; empirical coverage: those whose answer is
  valid (jsonschema says so, formats too); compliance: valid answers of those that came to an end.

A small model often doesn't come to an end within --tokens: such answers are counted apart.

    python benchmarks/jsonschemabench.py [--engines tercet,llguidance] [--schemas 20]

Prints a table and writes benchmarks/results/jsonschemabench.json.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from time import perf_counter_ns
from typing import Any

from rich.console import Console
from rich.progress import track

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks import corpus, summing, tables, timing
from benchmarks.processors import PROCESSORS
from benchmarks.rivals import RIVALS

RESULTS = Path(__file__).parent / "results" / "jsonschemabench.json"
Entry = dict[str, Any]
_ENGINES = "tercet,llguidance,xgrammar,outlines-core"
_WARM = {"type": "object", "properties": {"warm up": {"type": "array", "items": {"type": "null"}}}}
PROMPT = "Write one JSON document that this JSON Schema allows, and nothing else.\n\n"


class Clock:
    """Wraps a processor: when each token came, and how long the processor took for it."""

    def __init__(self, processor: Callable[[Any, Any], Any]) -> None:
        self._processor = processor
        self.inside: list[int] = []
        self.at: list[int] = []

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        start = perf_counter_ns()
        masked = self._processor(input_ids, scores)
        self.inside.append(perf_counter_ns() - start)
        return masked

    def stopping(self, input_ids: Any, scores: Any, **_: Any) -> Any:
        """Called after each token, as a stopping criterion that never stops."""
        self.at.append(perf_counter_ns())
        return input_ids.new_zeros(len(input_ids)).bool()


def answer(model: Any, tokenizer: Any, prompt: Any, make: Callable[[], Any], most: int) -> Entry:
    """Compile and generate; times in nanoseconds, and the text."""
    start = perf_counter_ns()
    try:
        processor = make()
    except Exception as error:
        return {"refused": f"{type(error).__name__}: {error}".splitlines()[0][:200]}
    compiled = perf_counter_ns()
    clock = Clock(processor)
    try:
        output = model.generate(
            **prompt,
            logits_processor=[clock],
            stopping_criteria=[clock.stopping],
            max_new_tokens=most,
            do_sample=False,
        )
    except Exception as error:
        return {
            "compile": compiled - start,
            "failed": f"{type(error).__name__}: {error}".splitlines()[0][:200],
        }
    written = output[0, prompt["input_ids"].shape[1] :].tolist()
    finished = bool(written) and written[-1] == tokenizer.eos_token_id
    later = max(1, len(clock.at) - 1)
    return {
        "compile": compiled - start,
        "first_token": clock.at[0] - start,
        "per_token": (clock.at[-1] - clock.at[0]) // later,
        "inside": clock.inside,
        "tokens": len(written),
        "finished": finished,
        "text": tokenizer.decode(written[:-1] if finished else written),
    }


def is_valid(schema: Any, text: str) -> bool:
    """Whether a text is a JSON document that the schema allows, formats included."""
    import jsonschema

    try:
        document = json.loads(text)
    except ValueError:
        return False
    validator = jsonschema.validators.validator_for(schema, default=jsonschema.Draft202012Validator)
    checker = validator.FORMAT_CHECKER
    return bool(validator(schema, format_checker=checker).is_valid(document))


def chosen(count: int, tokenizer: Any, longest: int) -> list[tuple[Entry, Any]]:
    """Schemas of the fixed twentieth, drawn with a fixed seed, whose prompt isn't too long."""
    entries = corpus.maskbench(1)
    random.Random(1).shuffle(entries)
    found = []
    for entry in entries:
        text = PROMPT + json.dumps(entry["schema"])
        prompt = tokenizer.apply_chat_template(
            [{"role": "user", "content": text}],
            add_generation_prompt=True,
            return_tensors="pt",
            return_dict=True,
        )
        if prompt["input_ids"].shape[1] <= longest:
            found.append((entry, prompt))
        if len(found) == count:
            break
    return found


def sum_up(answers: list[Entry]) -> Entry:
    """The measures of one engine.

    >>> sum_up([{"refused": "no"}])["declared_coverage"]
    0.0
    """
    compiled = [found for found in answers if "compile" in found]
    ran = [found for found in compiled if "per_token" in found]
    finished = [found for found in ran if found["finished"]]
    valid = [found for found in finished if found["valid"]]
    inside = [took for found in ran for took in found["inside"]]
    return {
        "compile_us": timing.percentiles(found["compile"] for found in compiled),
        "first_token_us": timing.percentiles(found["first_token"] for found in ran),
        "per_token_us": timing.percentiles(found["per_token"] for found in ran),
        "processor_us": timing.percentiles(inside),
        "declared_coverage": len(compiled) / max(1, len(answers)),
        "empirical_coverage": len(valid) / max(1, len(answers)),
        "compliance": len(valid) / max(1, len(finished)),
        "finished": len(finished),
        "valid": len(valid),
        "invalid": [found["name"] for found in finished if not found["valid"]],
        "failed": {found["name"]: found["failed"] for found in compiled if "failed" in found},
    }


def rows_of(result: Entry) -> list[tables.Row]:
    """The rows of the table, for a terminal and for the docs."""
    engines = list(result["engines"].values())
    rows = [
        [title, *(f"{found[key]:.0%}" for found in engines)]
        for title, key in (
            ("declared coverage", "declared_coverage"),
            ("empirical coverage", "empirical_coverage"),
            ("compliance of finished answers", "compliance"),
        )
    ]
    rows.append(["answers that came to an end", *(str(found["finished"]) for found in engines)])
    rows += [
        [title, *(tables.time_of(found[key].get("p50", 0) / unit) for found in engines)]
        for title, key, unit in (
            ("grammar compilation, median, ms", "compile_us", 1000),
            ("time to first token, median, ms", "first_token_us", 1000),
            ("time per output token, median, ms", "per_token_us", 1000),
            ("of it in the processor, median, µs", "processor_us", 1),
        )
    ]
    means = [tables.time_of(found["processor_us"].get("mean", 0)) for found in engines]
    return [*rows, ["the same, mean, µs", *means]]


def load_model() -> tuple[Any, Any]:
    """SmolLM2-135M as `tercet.load("smollm2")` has it: on the CPU, in float32."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    from tercet.models.smollm2 import smollm2_folder

    torch.set_num_threads(1)
    folder = smollm2_folder()
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    return model, AutoTokenizer.from_pretrained(folder)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engines", default=_ENGINES, help=", ".join(RIVALS))
    parser.add_argument("--schemas", type=int, default=20)
    parser.add_argument("--tokens", type=int, default=96, help="where an answer is cut off")
    parser.add_argument("--prompt-tokens", type=int, default=600, help="the longest prompt")
    parser.add_argument("--output", type=Path, default=RESULTS)
    options = parser.parse_args()
    console = Console()
    warnings.simplefilter("ignore")
    core = timing.pin()
    model, tokenizer = load_model()
    names = options.engines.split(",")
    rivals = {name: RIVALS[name](tokenizer, model.config.vocab_size) for name in names}
    work = chosen(options.schemas, tokenizer, options.prompt_tokens)
    if not work:
        console.print("no schemas: TERCET_DATA names the folder of maskbench-dev.jsonl.gz")
        return 2
    for name in names:  # imports and kernels, before anyone is timed
        make = PROCESSORS[name](rivals[name], _WARM)
        answer(model, tokenizer, work[0][1], make, 3)
    answers: dict[str, list[Entry]] = {name: [] for name in names}
    for turn, (entry, prompt) in enumerate(track(work, "schemas", console=Console(stderr=True))):
        for name in names[turn % len(names) :] + names[: turn % len(names)]:
            make = PROCESSORS[name](rivals[name], entry["schema"])
            found = answer(model, tokenizer, prompt, make, options.tokens)
            found |= {"name": entry["name"]}
            found["valid"] = is_valid(entry["schema"], found.get("text", ""))
            answers[name].append(found)
    result = {
        "command": " ".join(["python benchmarks/jsonschemabench.py", *sys.argv[1:]]),
        "schemas": len(work),
        "tokens": options.tokens,
        "core": core,
        "model": "SmolLM2-135M-Instruct, float32",
        **summing.machine(),
        "prepared": {name: [rival.version] for name, rival in rivals.items()},
        "engines": {name: sum_up(found) for name, found in answers.items()},
    }
    console.print(tables.rich_table(result["model"], tables.heading(result), rows_of(result)))
    options.output.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
