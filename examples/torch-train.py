"""Trains a small convolutional network for one epoch on pictures that the gateway decodes.

    export AWS_ENDPOINT_URL=http://127.0.0.1:9000
    export AWS_ACCESS_KEY_ID=demo AWS_SECRET_ACCESS_KEY=demo-secret
    PYTHONPATH=gpu-sink/src/main/python python3 examples/torch-train.py s3://pictures train.jsonl 10

The manifest has one item a line: {"key": "train/0001.jpg", "label": 7}.
"""

import sys

import torch
from torch import nn

from penstock.torch import EpochDataset, EpochLoader

url, manifest, classes = sys.argv[1], sys.argv[2], int(sys.argv[3])
torch.manual_seed(0)

dataset = EpochDataset(
    url,
    manifest=manifest,
    seed=42,
    batch_size=32,
    decode={
        "as": "image",
        "height": 64,
        "width": 64,
        "dtype": "float32",
        "normalise": "imagenet",
        "crop": {"how": "random-resized"},
        "flip": 0.5,
    },
)
loader = EpochLoader(dataset, num_workers=1)  # loader.state_dict() goes on in the middle of an epoch

model = nn.Sequential(
    nn.Conv2d(3, 16, 5, stride=2), nn.ReLU(), nn.MaxPool2d(2),
    nn.Conv2d(16, 32, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(),
    nn.Linear(32, classes),
)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)

samples, losses = 0, []
for images, labels in loader:
    loss = nn.functional.cross_entropy(model(images), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    samples += len(images)
    losses.append(loss.item())

print(f"{samples} samples in {len(losses)} steps, loss {losses[0]:.3f} to {losses[-1]:.3f}")
