"""Epochs for PyTorch: a dataset, and a loader that can stop and go on in the middle of an epoch.

    dataset = EpochDataset("s3://pictures/", manifest="train.jsonl", seed=42, batch_size=64,
                           decode={"as": "image", "height": 224, "width": 224})
    loader = EpochLoader(dataset, num_workers=2)
    for number in range(epochs):
        loader.set_epoch(number)
        for images, labels in loader:
            ...
"""

import os
from typing import Any, Callable, Dict, Iterator, Optional, Tuple

import torch
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from .arrow import Batch
from .client import Client, epoch


def _share(rank: Optional[int], world_size: Optional[int]) -> Tuple[int, int]:
    if rank is not None and world_size is not None:
        return rank, world_size
    if rank is not None or world_size is not None:
        raise ValueError("give rank and world_size, or neither")
    if torch.distributed.is_available() and torch.distributed.is_initialized():
        return torch.distributed.get_rank(), torch.distributed.get_world_size()
    return int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))


class TensorsAndLabels:
    """Makes ``(tensors, labels)`` of a batch: memory of the batch, not a copy of it.

    Args:
        column: the tensors' column.
        errors: ``"skip"``: rows that could not be had are left out (then the others are copied);
            ``"raise"``: the first one is raised.
    """

    def __init__(self, column: str = "tensor", errors: str = "skip") -> None:
        if errors not in ("skip", "raise"):
            raise ValueError('errors is "skip" or "raise"')
        self.column = column
        self.errors = errors

    def __call__(self, batch: Batch) -> Tuple[torch.Tensor, Any]:
        tensors = torch.from_numpy(batch[self.column])
        labels = batch.labels
        failed = batch.errors
        if failed and self.errors == "raise":
            raise failed[0]
        if failed:
            good = [row for row, ok in enumerate(batch.ok) if ok]
            tensors = tensors[good]
            labels = None if labels is None else [labels[row] for row in good]
        if labels is None:
            return tensors, None
        numbers = not isinstance(labels, list) or all(not isinstance(v, (str, type(None))) for v in labels)
        return tensors, torch.as_tensor(labels) if numbers else list(labels)


class EpochDataset(IterableDataset):
    """One rank's share of an epoch, batch by batch: give it to a ``DataLoader`` with
    ``batch_size=None``, or to an ``EpochLoader``.

    Rank and world size are given, or those of ``torch.distributed``, or of ``RANK`` and
    ``WORLD_SIZE``. The workers of a loader share the rank's part between them.

    Args:
        url, options: those of ``penstock.epoch``.
        collate: makes of a ``Batch`` what the loop wants.
    """

    def __init__(
        self,
        url: str,
        *,
        seed: int,
        rank: Optional[int] = None,
        world_size: Optional[int] = None,
        collate: Optional[Callable[[Batch], Any]] = None,
        client: Optional[Client] = None,
        **options: Any,
    ) -> None:
        super().__init__()
        self.url = url
        self.seed = seed
        self.rank, self.world_size = _share(rank, world_size)
        self.collate = collate or TensorsAndLabels()
        self.client = client
        self.options = options
        self.number = 0
        self.taken = 0

    def set_epoch(self, number: int) -> None:
        """The epoch that the next iteration goes through, from its beginning."""
        if number != self.number:
            self.number, self.taken = number, 0

    def __iter__(self) -> Iterator[Any]:
        info = get_worker_info()
        workers, worker = (1, 0) if info is None else (info.num_workers, info.id)
        # batches come from the workers in turn: who comes first now is whose turn it was
        logical = (worker + self.taken) % workers
        resume_at = (self.taken - logical + workers - 1) // workers
        stream = epoch(
            self.url,
            seed=self.seed,
            number=self.number,
            rank=self.rank * workers + logical,
            world_size=self.world_size * workers,
            resume_at=resume_at,
            client=self.client,
            **self.options,
        )
        with stream:
            for batch in stream:
                if info is None:
                    self.taken += 1
                yield self.collate(batch)
        if info is None:
            self.taken = 0

    def state_dict(self) -> Dict[str, int]:
        """Where the loop is, if it iterates this dataset itself (without workers)."""
        return {"number": self.number, "taken": self.taken, "seed": self.seed}

    def load_state_dict(self, state: Dict[str, int]) -> None:
        if state["seed"] != self.seed:
            raise ValueError(f"a state of seed {state['seed']}, where the dataset has {self.seed}")
        self.number, self.taken = state["number"], state["taken"]


class EpochLoader:
    """A ``DataLoader`` over an ``EpochDataset`` that knows how far the loop is.

    A state goes on exactly where the loop stopped, in the same order; it holds for the same number
    of workers. At the end of an epoch the next iteration begins it anew: call ``set_epoch``.
    """

    def __init__(self, dataset: EpochDataset, num_workers: int = 0, **options: Any) -> None:
        self.dataset = dataset
        self.num_workers = num_workers
        self._options = options

    def set_epoch(self, number: int) -> None:
        self.dataset.set_epoch(number)

    def __iter__(self) -> Iterator[Any]:
        counts_itself = self.num_workers == 0
        loader = DataLoader(
            self.dataset, batch_size=None, num_workers=self.num_workers, **self._options
        )
        for batch in loader:
            if not counts_itself:
                self.dataset.taken += 1
            yield batch
        self.dataset.taken = 0

    def state_dict(self) -> Dict[str, int]:
        """Where the loop is: after every batch that it was given."""
        return {**self.dataset.state_dict(), "workers": self.num_workers}

    def load_state_dict(self, state: Dict[str, int]) -> None:
        if state["workers"] != self.num_workers:
            raise ValueError(
                f"a state of {state['workers']} workers cannot go on with {self.num_workers}"
            )
        self.dataset.load_state_dict(state)
