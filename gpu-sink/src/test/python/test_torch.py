"""EpochDataset and EpochLoader against the same gateway."""

import unittest

import penstock

try:
    import torch
    from penstock.torch import EpochDataset, EpochLoader
except ImportError:
    torch = None

URL = "s3://objects/train/"


def keys(batch: penstock.Batch):
    return batch.keys


@unittest.skipIf(torch is None, "torch is not installed")
class Loading(unittest.TestCase):
    def dataset(self, **options):
        return EpochDataset(URL, seed=3, batch_size=8, collate=keys, **options)

    def all(self, workers, **options):
        return list(EpochLoader(self.dataset(**options), num_workers=workers))

    def test_workers_share_the_ranks_part(self):
        for workers in (0, 2):
            flat = [
                key
                for rank in range(2)
                for batch in self.all(workers, rank=rank, world_size=2)
                for key in batch
            ]
            self.assertEqual(sorted(flat), [f"train/{i:04}" for i in range(100)])

    def test_a_state_goes_on_exactly_where_the_loop_stopped(self):
        for workers, stop in ((0, 5), (2, 5), (2, 4)):
            whole = self.all(workers)
            loader = EpochLoader(self.dataset(), num_workers=workers)
            seen = []
            for batch in loader:
                seen.append(batch)
                if len(seen) == stop:
                    state = loader.state_dict()
                    break
            other = EpochLoader(self.dataset(), num_workers=workers)
            other.load_state_dict(state)
            self.assertEqual(seen + list(other), whole, (workers, stop))

    def test_epochs_differ_and_begin_anew(self):
        loader = EpochLoader(self.dataset())
        first = list(loader)
        self.assertEqual(list(loader), first)
        loader.set_epoch(1)
        second = list(loader)
        self.assertNotEqual(second, first)
        self.assertEqual(sorted(sum(second, [])), sorted(sum(first, [])))

    def test_a_state_of_other_workers_or_another_seed_is_refused(self):
        loader = EpochLoader(self.dataset())
        with self.assertRaises(ValueError):
            loader.load_state_dict({"number": 0, "taken": 1, "seed": 3, "workers": 4})
        with self.assertRaises(ValueError):
            loader.load_state_dict({"number": 0, "taken": 1, "seed": 4, "workers": 0})

    def test_pictures_are_tensors_in_the_receive_buffer(self):
        dataset = EpochDataset(
            "s3://objects",
            manifest="photos.jsonl",
            seed=1,
            decode={"as": "image", "height": 32, "width": 32},
        )
        seen = sorted(label for _, labels in dataset for label in labels.tolist())
        # the picture that is cut off is left out
        self.assertEqual(seen, list(range(9)))
        dataset.collate.errors = "raise"
        with self.assertRaises(penstock.ItemFailed):
            list(dataset)


if __name__ == "__main__":
    unittest.main()
