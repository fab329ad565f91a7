"""A progress bar on stderr for work that takes a while; the only file here that knows rich."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress_bar(
    title: str, total: int, *, show: bool | None = None
) -> Iterator[Callable[[int], None]]:
    """Show a bar while the block runs; call what it gives with the steps done so far.

    Without `show`, there is a bar when stderr is a terminal. It is gone from a
    terminal when the block ends.

    >>> with progress_bar("counting", 2, show=False) as reached:
    ...     reached(1)
    """
    if not (sys.stderr.isatty() if show is None else show):
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    console = Console(file=sys.stderr)
    with Progress(*columns, console=console, transient=console.is_terminal) as bar:
        task = bar.add_task(title, total=total)
        yield lambda done: bar.update(task, completed=done)
