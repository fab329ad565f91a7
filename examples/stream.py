"""Watch an answer grow, then take its value and its figures."""

from __future__ import annotations

from tercet.testing import scripted

stream = scripted('["Kyoto", "Nara", "Osaka"]').stream("Three towns in Japan?", list[str])
for snapshot in stream:
    print(snapshot.piece, end="", flush=True)
print()

completion = stream.complete()
print(completion.value)
print(f"{completion.stats.tokens} tokens, {completion.finish}")
