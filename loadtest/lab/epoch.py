#!/usr/bin/python3
"""Two epochs of training over small pictures, read in one of several ways.

Started by `./penstock loadtest lab` inside the host's network namespace; can be run by hand. Prints lines
`metric NAME VALUE` (seconds), `note TEXT`, or `skip REASON` when a tool that the way needs is missing.

An object is one picture as raw uint8 (its bytes are a tensor already), so that reading and not decoding is compared.
CPU is user + system time of this process and of everything below it: DataLoader's workers, the s3fs daemon.
"""

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

# What a GPU needs for a batch of 32 small pictures is taken to be 12 ms, during which the host's core is free.
# Our choice, about 2,700 pictures a second; not measured on any GPU.
WAIT_SECONDS = 0.012
SIDE = 64  # pixels of the real CNN's input, cut from the front of the object

# What s3fs is at its best with here: no stat or listing twice, pages kept by the kernel, wide parallelism.
S3FS_OPTIONS = (
    "use_path_request_style,public_bucket=1,ro,kernel_cache,max_stat_cache_size=1000000,enable_noobj_cache,"
    "notsup_compat_dir,parallel_count=16,multireq_max=64"
)


class Skip(Exception):
    """This way cannot be measured here."""


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--endpoint", required=True, help="the store, or a gateway")
    parser.add_argument("--mode", required=True, choices=["s3fs", "boto3", "batches"])
    parser.add_argument("--root", required=True, help="the repository")
    parser.add_argument("--mount", required=True, help="an empty folder for s3fs")
    parser.add_argument("--size", required=True, help="of an object, e.g. 100KiB")
    parser.add_argument("--items", type=int, required=True)
    parser.add_argument("--first", type=int, default=0, help="number of the first object")
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--step", choices=["wait", "cnn"], default="wait")
    return parser.parse_args()


def size_of(text):
    for unit, factor in (("KiB", 1 << 10), ("MiB", 1 << 20)):
        if text.endswith(unit):
            return int(text[: -len(unit)]) * factor
    return int(text)


def cpu_seconds():
    """User + system seconds of this process, of its living descendants, and of the dead ones it has waited for."""
    ticks, parents = {}, {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                fields = Path(f"/proc/{entry}/stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue  # ended meanwhile
            parents[int(entry)] = int(fields[1])
            ticks[int(entry)] = sum(int(field) for field in fields[11:15])
    tree, added = {os.getpid()}, True
    while added:
        more = {pid for pid, parent in parents.items() if parent in tree} - tree
        tree |= more
        added = bool(more)
    return sum(ticks.get(pid, 0) for pid in tree) / os.sysconf("SC_CLK_TCK")


class Files:
    """Objects as files of a mounted bucket."""

    def __init__(self, folder):
        self.folder = folder

    def read(self, key):
        with open(f"{self.folder}/{key}", "rb", buffering=0) as file:
            return bytearray(file.read())


class Objects:
    """Objects through boto3, one client a worker."""

    def __init__(self, endpoint):
        self.endpoint = endpoint
        self.client = None

    def read(self, key):
        if self.client is None:
            import boto3
            from botocore import UNSIGNED
            from botocore.config import Config

            config = Config(signature_version=UNSIGNED, s3={"addressing_style": "path"}, max_pool_connections=4)
            self.client = boto3.client("s3", endpoint_url=self.endpoint, region_name="us-east-1", config=config)
        return bytearray(self.client.get_object(Bucket="bench", Key=key)["Body"].read())


def mount(asked):
    """Mounts the bucket in the foreground, as a child that is charged to us."""
    from shutil import which

    if which("s3fs") is None or not os.path.exists("/dev/fuse"):
        raise Skip("s3fs or /dev/fuse is missing: apt-get install s3fs fuse")
    command = ["s3fs", "bench", asked.mount, "-f", "-o", f"url={asked.endpoint},{S3FS_OPTIONS}"]
    print("note " + " ".join(command))
    daemon = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 60
    while not os.path.ismount(asked.mount):
        if daemon.poll() is not None:
            raise RuntimeError("s3fs ended: " + daemon.stderr.read().decode(errors="replace").strip())
        if time.monotonic() > deadline:
            daemon.kill()
            raise RuntimeError("s3fs did not mount in 60 s")
        time.sleep(0.02)
    return daemon


def loader_of(asked, torch, source):
    """PyTorch's DataLoader over single objects, shuffled."""
    from torch.utils.data import DataLoader, Dataset

    size = size_of(asked.size)

    class Pictures(Dataset):
        def __len__(self):
            return asked.items

        def __getitem__(self, index):
            body = source.read(f"{size}-{asked.first + index}")
            if len(body) != size:
                raise RuntimeError(f"object {index} has {len(body)} bytes, not {size}")
            return torch.frombuffer(body, dtype=torch.uint8)

    return DataLoader(
        Pictures(), batch_size=asked.batch, shuffle=True, num_workers=asked.workers, prefetch_factor=4,
        persistent_workers=True)


def batches_of(asked, torch):
    """Whole batches out of one connection to the gateway, received by one worker of the DataLoader."""
    package = Path(asked.root) / "gpu-sink/src/main/python"
    if not (package / "penstock").is_dir():
        raise Skip("the Python package penstock is not in this checkout")
    sys.path.insert(0, str(package))
    import numpy
    import penstock
    from penstock.torch import EpochDataset, EpochLoader

    size = size_of(asked.size)

    def pictures(batch):
        for failure in batch.errors:
            raise failure
        rows = numpy.empty((len(batch), size), dtype=numpy.uint8)
        for row, payload in zip(rows, batch.payloads):
            row[:] = numpy.frombuffer(payload, dtype=numpy.uint8)
        return torch.from_numpy(rows)

    dataset = EpochDataset(
        "s3://bench",
        seed=42,
        items=[f"{size}-{asked.first + index}" for index in range(asked.items)],
        batch_size=asked.batch,
        collate=pictures,
        client=penstock.Client(asked.endpoint, "demo", "demo-secret"),
    )
    return EpochLoader(dataset, num_workers=asked.workers)


def step_of(asked, torch):
    """What is done with a batch, and the seconds that all batches of an epoch take of it alone."""
    batches = -(-asked.items // asked.batch)
    if asked.step == "wait":
        return (lambda batch: time.sleep(WAIT_SECONDS)), batches * WAIT_SECONDS
    step = residual_network(torch)
    sample = torch.zeros(asked.batch, size_of(asked.size), dtype=torch.uint8)
    step(sample)
    began = time.monotonic()
    for _ in range(3):
        step(sample)
    return step, batches * (time.monotonic() - began) / 3


def residual_network(torch):
    """A training step of a small network with residual blocks as in ResNet18, on the CPU."""
    from torch import nn

    class Block(nn.Module):
        def __init__(self, width):
            super().__init__()
            self.body = nn.Sequential(
                nn.Conv2d(width, width, 3, padding=1, bias=False), nn.BatchNorm2d(width), nn.ReLU(),
                nn.Conv2d(width, width, 3, padding=1, bias=False), nn.BatchNorm2d(width))

        def forward(self, x):
            return torch.relu(x + self.body(x))

    network = nn.Sequential(
        nn.Conv2d(3, 16, 7, stride=4, padding=3, bias=False), nn.BatchNorm2d(16), nn.ReLU(),
        Block(16), Block(16), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, 10))
    optimizer = torch.optim.SGD(network.parameters(), lr=0.01)

    def step(batch):
        pixels = batch[:, : 3 * SIDE * SIDE].reshape(-1, 3, SIDE, SIDE).float() / 255
        loss = nn.functional.cross_entropy(network(pixels), torch.zeros(len(pixels), dtype=torch.long))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    return step


def train(asked, loader, step):
    """Runs two epochs; the second may find what the first has left in a cache."""
    for number in (1, 2):
        if hasattr(loader, "set_epoch"):
            loader.set_epoch(number)
        cpu, began, seen = cpu_seconds(), time.monotonic(), 0
        for batch in loader:
            step(batch)
            seen += len(batch)
        seconds = time.monotonic() - began
        if seen != asked.items:
            raise RuntimeError(f"epoch {number} had {seen} objects of {asked.items}")
        print(f"metric epoch{number}_s {seconds:.4f}")
        print(f"metric cpu{number}_s {cpu_seconds() - cpu:.4f}")


def main():
    asked = arguments()
    try:
        import torch
    except ImportError:
        print("skip python3-torch is missing: apt-get install python3-torch")
        return
    torch.set_num_threads(1)
    daemon = None
    try:
        step, model = step_of(asked, torch)
        if asked.mode == "s3fs":
            daemon = mount(asked)
            loader = loader_of(asked, torch, Files(asked.mount))
        elif asked.mode == "boto3":
            try:
                import boto3  # noqa: F401
            except ImportError:
                raise Skip("python3-boto3 is missing: apt-get install python3-boto3")
            loader = loader_of(asked, torch, Objects(asked.endpoint))
        else:
            loader = batches_of(asked, torch)
        train(asked, loader, step)
        print(f"metric model_s {model:.4f}")
    except Skip as reason:
        print(f"skip {reason}")
    finally:
        if daemon is not None:
            subprocess.run(["umount", "-l", asked.mount], check=False, stderr=subprocess.DEVNULL)
            daemon.terminate()
            daemon.wait(20)


if __name__ == "__main__":
    sys.exit(main())
