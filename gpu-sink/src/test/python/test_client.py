"""The package against a gateway in ``AWS_ENDPOINT_URL`` with the objects of PythonPackageIT."""

import io
import os
import unittest

import numpy as np

import penstock
from breaking_proxy import BreakingProxy
from penstock.arrow import StreamReader

OBJECTS = 100
URL = "s3://objects/train/"
DECODE = {"as": "image", "height": 32, "width": 48}


def content(i: int) -> bytes:
    return bytes((i * 31 + j) & 0xFF for j in range(4 + i * 997))


def number(key: str) -> int:
    return int(key.rpartition("/")[2])


class Reading(unittest.TestCase):
    def test_a_prefix_gives_every_object_as_a_view(self):
        seen = []
        for batch in penstock.batches(URL, batch_size=16):
            for key, payload in zip(batch.keys, batch.payloads):
                self.assertIsInstance(payload, memoryview)
                self.assertEqual(payload, content(number(key)))
                seen.append(number(key))
        self.assertEqual(seen, list(range(OBJECTS)))

    def test_items_have_ranges_labels_and_errors_of_their_own(self):
        items = [
            {"key": "train/0050", "range": {"offset": 10, "length": 5}, "label": 3},
            {"key": "nothing", "label": 4},
        ]
        (batch,) = penstock.batches("s3://objects", items=items)
        self.assertEqual(batch.payloads[0], content(50)[10:15])
        self.assertIsNone(batch.payloads[1])
        self.assertEqual(batch.ok, [True, False])
        self.assertEqual(batch.labels.tolist(), [3, 4])
        (error,) = batch.errors
        self.assertEqual((error.row, error.code, error.status), (1, "NoSuchKey", 404))

    def test_pictures_are_arrays_in_the_receive_buffer(self):
        with penstock.batches("s3://objects", manifest="photos.jsonl", decode=DECODE) as stream:
            batch = stream.next()
            tensor = batch["tensor"]
            self.assertEqual(tensor.dtype, np.uint8)
            self.assertEqual(tensor.shape, (len(batch), 3, 32, 48))
            received = batch.column("tensor")._buffers[2]
            self.assertEqual(
                tensor.__array_interface__["data"][0],
                np.frombuffer(received, np.uint8).__array_interface__["data"][0],
            )
            self.assertEqual(tensor.ctypes.data % 64, 0)
            self.assertFalse(tensor.flags.owndata)
            self.assertGreater(tensor[0].std(), 1)
            # the last picture is cut off: a row of zeros, and an error of its own
            self.assertEqual([error.row for error in batch.errors], [len(batch) - 1])
            self.assertEqual(int(tensor[-1].max()), 0)
            self.assertEqual(batch.labels.tolist(), list(range(len(batch))))

    def test_arrays_stay_good_while_they_are_held(self):
        held = [batch.payloads for batch in penstock.batches(URL, batch_size=5)]
        flat = [payload for payloads in held for payload in payloads]
        for i, payload in enumerate(flat):
            self.assertEqual(payload, content(i))

    def test_half_floats(self):
        decode = {**DECODE, "dtype": "float16", "layout": "nhwc"}
        (batch,) = penstock.batches("s3://objects", items=["photos/0.jpg"], decode=decode)
        self.assertEqual(batch["tensor"].shape, (1, 32, 48, 3))
        self.assertEqual(batch["tensor"].dtype, np.float16)
        self.assertLessEqual(float(batch["tensor"].max()), 1.0)

    def test_compression_needs_a_library_or_works(self):
        for name, module in (("lz4", "lz4.frame"), ("zstd", "zstandard")):
            try:
                __import__(module)
                (batch,) = penstock.batches(
                    "s3://objects", items=["train/0050"], compression=name
                )
                self.assertEqual(batch.payloads[0], content(50))
            except ImportError:
                with self.assertRaisesRegex(penstock.StreamUnsupported, module.split(".")[0]):
                    penstock.batches(
                        "s3://objects", items=["train/0050"], compression=name
                    ).next()


class Epochs(unittest.TestCase):
    def test_ranks_share_an_epoch(self):
        seen = []
        for rank in range(3):
            for batch in penstock.epoch(URL, seed=42, rank=rank, world_size=3, batch_size=8):
                seen += [number(key) for key in batch.keys]
        self.assertEqual(sorted(seen), list(range(OBJECTS)))
        self.assertNotEqual(seen, sorted(seen))

    def test_a_resumed_epoch_has_exactly_the_rest(self):
        whole = [b.keys for b in penstock.epoch(URL, seed=1, batch_size=7)]
        rest = [b.keys for b in penstock.epoch(URL, seed=1, batch_size=7, resume_at=9)]
        self.assertEqual(rest, whole[9:])

    def test_a_broken_stream_goes_on(self):
        for url, call in ((URL, penstock.batches), (URL, lambda u, **o: penstock.epoch(u, seed=5, **o))):
            whole = [b.keys for b in call(url, batch_size=4)]
            proxy = BreakingProxy(os.environ["AWS_ENDPOINT_URL"], [900_000, 30_000, 10, 500_000])
            client = penstock.Client(endpoint=proxy.endpoint)
            with call(url, batch_size=4, client=client) as stream:
                seen = []
                for batch in stream:
                    self.assertEqual(batch.number, len(seen))
                    for key, payload in zip(batch.keys, batch.payloads):
                        self.assertEqual(payload, content(number(key)))
                    seen.append(batch.keys)
            self.assertEqual(seen, whole)
            self.assertGreaterEqual(stream.resumed, 2)
            proxy.close()


class Failures(unittest.TestCase):
    def test_refusals_say_whose_fault_it_is(self):
        wrong = penstock.Client(access_key="demo", secret_key="wrong")
        with self.assertRaises(penstock.RequestRefused) as refused:
            penstock.batches(URL, client=wrong).next()
        self.assertEqual(refused.exception.code, "SignatureDoesNotMatch")
        self.assertEqual(refused.exception.fault, "caller")
        with self.assertRaises(penstock.RequestRefused) as refused:
            penstock.batches("s3://none-such/x").next()
        self.assertEqual(refused.exception.code, "NoSuchBucket")
        with self.assertRaises(penstock.RequestRefused) as refused:
            penstock.batches(URL, decode="gif").next()
        self.assertEqual(refused.exception.code, "InvalidArgument")

    def test_nobody_there_is_the_network(self):
        nobody = penstock.Client(endpoint="http://127.0.0.1:1", tries=1)
        with self.assertRaises(penstock.StreamTruncated) as failure:
            penstock.batches(URL, client=nobody).next()
        self.assertTrue(failure.exception.retryable)

    def test_a_failed_stream_is_raised(self):
        items = [f"train/{i:04}" for i in range(6)] + ["nothing"]
        stream = penstock.batches("s3://objects", items=items, batch_size=2, on_error="fail")
        with self.assertRaises(penstock.StreamFailed) as failure:
            for _ in stream:
                pass
        self.assertEqual(failure.exception.code, "NoSuchKey")
        self.assertEqual(stream.position, 3)

    def test_tries_have_an_end(self):
        proxy = BreakingProxy(os.environ["AWS_ENDPOINT_URL"], [10] * 20)
        client = penstock.Client(endpoint=proxy.endpoint, tries=2)
        with self.assertRaises(penstock.StreamTruncated):
            penstock.batches(URL, client=client).next()
        self.assertEqual(proxy.connections, 2)
        proxy.close()


class Bytes(unittest.TestCase):
    """The reader on damaged bytes."""

    @classmethod
    def setUpClass(cls):
        stream = penstock.batches("s3://objects", items=["train/0003", "train/0004"], batch_size=1)
        received = []
        from penstock import _http
        import json

        client = penstock.Client()
        answer = _http.post(
            client.address, "/-/batch", json.dumps(stream._request).encode(), 60, None
        )
        part = memoryview(bytearray(65536))
        while True:
            read = answer.readinto(part)
            if not read:
                break
            received.append(bytes(part[:read]))
        answer.close()
        cls.bytes = b"".join(received)

    @staticmethod
    def read(data: bytes):
        return [
            [batch[name] for name in batch.columns][-1]
            for batch in StreamReader(io.BytesIO(data).readinto)
        ]

    def test_the_whole_is_read(self):
        self.assertEqual([p[0] for p in self.read(self.bytes)], [content(3), content(4)])

    def test_every_cut_is_an_error(self):
        for cut in range(0, len(self.bytes), 41):
            with self.assertRaises(penstock.StreamTruncated):
                self.read(self.bytes[:cut])

    def test_damage_is_an_error_of_ours_or_read(self):
        for at in range(0, min(len(self.bytes), 4000), 5):
            damaged = bytearray(self.bytes)
            damaged[at] ^= 0x55
            try:
                self.read(bytes(damaged))
            except penstock.PenstockError:
                pass


if __name__ == "__main__":
    unittest.main()
