"""Write networks of torchvision with random weights as ONNX: material for cutting and measuring, not for accuracy.

usage: export_models.py FOLDER full|narrow NAME...

full    as published, pictures of 224 x 224
narrow  the same nodes and edges with fewer channels where a network is large, small pictures where it takes them: for CI

Each NAME.onnx takes `input` (n x 3 x side x side, float32, n free) and gives `output` (n x classes); opset 13.
"""

import os
import sys
import warnings

import torch
from torch import nn
from torchvision import models

NAMES = ("resnet18", "resnet50", "alexnet", "vgg11", "vgg19", "densenet121", "googlenet", "inception_v3", "vit")


def network(name, narrow, side):
    classes = 10 if narrow else 1000
    if name == "vit":
        size = dict(num_layers=4, num_heads=4, hidden_dim=64, mlp_dim=128) if narrow else dict(
            num_layers=12, num_heads=12, hidden_dim=768, mlp_dim=3072)
        return models.VisionTransformer(image_size=side, patch_size=16, num_classes=classes, **size)
    if narrow and name in ("vgg11", "vgg19"):
        layers = [width if width == "M" else width // 8 for width in models.vgg.cfgs["A" if name == "vgg11" else "E"]]
        net = models.VGG(models.vgg.make_layers(layers), num_classes=classes)
        return slim(net, layers[-2] * 49, classes)
    extra = {}
    if name in ("googlenet", "inception_v3"):
        extra = dict(aux_logits=False, init_weights=False)
    if name == "densenet121" and narrow:
        return models.DenseNet(growth_rate=8, block_config=(6, 12, 24, 16), num_init_features=16, num_classes=classes)
    net = getattr(models, name)(weights=None, num_classes=classes, **extra)
    if narrow and name == "alexnet":
        return slim(net, 256 * 36, classes)
    return net


def slim(net, width, classes):
    """The fully connected layers hold nine tenths of the bytes and none of the topology."""
    linear = [i for i, layer in enumerate(net.classifier) if isinstance(layer, nn.Linear)]
    for i in linear:
        out = classes if i == linear[-1] else 64
        net.classifier[i] = nn.Linear(width, out)
        width = out
    return net


def randomise(net):
    """Weights that keep every layer's values apart: some networks start with small or no weights at the end."""
    for parameter in net.parameters():
        if parameter.dim() > 1:
            nn.init.kaiming_normal_(parameter)
    return net


def side_of(name, narrow):
    """Inception is made for 299 and takes 75 at least; the pooling of AlexNet and VGG can be exported at 224 only."""
    if name == "inception_v3":
        return 96 if narrow else 299
    return 64 if narrow and name not in ("alexnet", "vgg11", "vgg19") else 224


def main(folder, size, *names):
    narrow = size == "narrow"
    warnings.filterwarnings("ignore")
    torch.manual_seed(7)
    for name in names or NAMES:
        side = side_of(name, narrow)
        net = randomise(network(name, narrow, side)).eval()
        path = os.path.join(folder, name + ".onnx")
        torch.onnx.export(net, torch.rand(2, 3, side, side), path + ".part", opset_version=13,
                          input_names=["input"], output_names=["output"],
                          dynamic_axes={"input": {0: "n"}, "output": {0: "n"}})
        os.rename(path + ".part", path)


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[2] not in ("full", "narrow"):
        sys.exit(__doc__)
    main(*sys.argv[1:])
