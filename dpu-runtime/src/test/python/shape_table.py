"""Writes the table of layers that the simulation of split choice runs on (standard output, tab-separated).

Shapes, multiplications and weights are exact: they are read off torchvision's definitions of the networks, with random
weights, for one picture of 3 x 224 x 224 in float32. A unit is what lies between two places where a single tensor separates
input from output. `traffic-bytes` is what its operations read and write (activation functions and normalisation, which
runtimes fuse into the operation before them, left out), `work-bytes` the most that one of them does. `frozen` says which units come before the layer at which the HAPI paper (arXiv
2210.08650) freezes that network, told by the bytes an image that it reports there.

    /usr/bin/python3 dpu-runtime/src/test/python/shape_table.py > dpu-runtime/src/test/resources/io/penstock/dpu/transform/split/shapes.tsv
"""
import torch
import torchvision.models as zoo
from torch import nn

BATCH = 1


class Patches(nn.Module):
    """A vision transformer up to its first block: patches, class token, positions."""

    def __init__(self, vit):
        super().__init__()
        self.conv_proj = vit.conv_proj
        self.class_token = vit.class_token
        self.positions = vit.encoder.pos_embedding

    def forward(self, x):
        x = self.conv_proj(x).flatten(2).transpose(1, 2)
        token = self.class_token.expand(x.shape[0], -1, -1)
        return torch.cat([token, x], 1) + self.positions


class ClassToken(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.norm = norm

    def forward(self, x):
        return self.norm(x)[:, 0]


def fused(modules, prefix):
    """One unit for a convolution or a product with what follows it and keeps the shape; pools stand alone."""
    units, group = [], []
    for module in modules:
        if isinstance(module, (nn.Conv2d, nn.Linear, nn.MaxPool2d)) and any(
            isinstance(m, (nn.Conv2d, nn.Linear, nn.MaxPool2d)) for m in group
        ):
            units.append(nn.Sequential(*group))
            group = []
        group.append(module)
    units.append(nn.Sequential(*group))
    return [(f"{prefix}.{i}", unit) for i, unit in enumerate(units)]


def resnet(net):
    units = [("stem", nn.Sequential(net.conv1, net.bn1, net.relu)), ("maxpool", net.maxpool)]
    for name in ("layer1", "layer2", "layer3", "layer4"):
        units += [(f"{name}.{i}", block) for i, block in enumerate(getattr(net, name))]
    return units + [("avgpool", nn.Sequential(net.avgpool, nn.Flatten())), ("fc", net.fc)]


def vgg(net):
    flat = [("avgpool", nn.Sequential(net.avgpool, nn.Flatten()))]
    return fused(net.features, "features") + flat + fused(net.classifier, "classifier")


def densenet(net):
    named = dict(net.features.named_children())
    units = [("stem", nn.Sequential(named["conv0"], named["norm0"], named["relu0"])), ("pool0", named["pool0"])]
    units += [(n, m) for n, m in named.items() if n.startswith(("denseblock", "transition"))]
    units.append(("norm5", nn.Sequential(named["norm5"], nn.ReLU())))
    return units + [("avgpool", nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten())), ("classifier", net.classifier)]


def vit(net):
    units = [("patches", Patches(net))]
    units += [(f"block.{i}", block) for i, block in enumerate(net.encoder.layers)]
    return units + [("token", ClassToken(net.encoder.ln)), ("head", net.heads)]


def mobilenet(net):
    units = [(f"features.{i}", m) for i, m in enumerate(net.features)]
    return units + [("avgpool", nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten())), ("classifier", net.classifier)]


# network, its units, bytes an image at HAPI's freeze layer (the last unit with so many is frozen)
NETWORKS = {
    "resnet18": (zoo.resnet18, resnet, 512 * 7 * 7 * 4),
    "resnet50": (zoo.resnet50, resnet, 2048 * 4),
    "alexnet": (zoo.alexnet, vgg, 4096 * 4),
    "vgg11": (zoo.vgg11, vgg, 4096 * 4),
    "vgg19": (zoo.vgg19, vgg, 512 * 14 * 14 * 4),
    "densenet121": (zoo.densenet121, densenet, 1024 * 7 * 7 * 4),
    "vit_b_16": (zoo.vit_b_16, vit, 768 * 4),
    "mobilenet_v2": (zoo.mobilenet_v2, mobilenet, 1280 * 4),
}


def bytes_of(tensor):
    return tensor.numel() * tensor.element_size() // tensor.shape[0]


def counted(unit, x):
    """Output; multiply-adds, most bytes of one operation and bytes of all operations, for one sample."""
    macs, work, traffic, hooks = [0], [0], [0], []

    def hook(module, inputs, output):
        output = output[0] if isinstance(output, tuple) else output
        # attention is called by keyword; what goes in has the shape of what comes out
        source = inputs[0] if inputs else output
        moved = bytes_of(source) + bytes_of(output)
        work[0] = max(work[0], moved)
        if not isinstance(module, (nn.ReLU, nn.ReLU6, nn.BatchNorm2d, nn.Dropout, nn.Identity, nn.Flatten)):
            traffic[0] += moved
        if isinstance(module, nn.Conv2d):
            kernel = module.weight.numel() // module.out_channels
            macs[0] += output.numel() // output.shape[0] * kernel
        elif isinstance(module, nn.Linear):
            macs[0] += output.numel() // output.shape[0] * module.in_features
        elif isinstance(module, nn.MultiheadAttention):
            n, d = source.shape[1], source.shape[2]
            macs[0] += 4 * n * d * d + 2 * n * n * d

    for module in unit.modules():
        # the products inside attention are counted with it
        if not list(module.children()) or isinstance(module, nn.MultiheadAttention):
            hooks.append(module.register_forward_hook(hook))
    y = unit(x)
    for h in hooks:
        h.remove()
    return y, macs[0], max(work[0], bytes_of(x) + bytes_of(y)), traffic[0]


def main():
    torch.manual_seed(1)
    print("# model\tunit\tfrozen\toutput-bytes\twork-bytes\ttraffic-bytes\tweight-bytes\tmultiply-adds")
    with torch.no_grad():
        for name, (make, units_of, freeze) in NETWORKS.items():
            net = make(weights=None).eval()
            x, rows = torch.randn(BATCH, 3, 224, 224), []
            for unit_name, unit in units_of(net):
                y, macs, work, traffic = counted(unit, x)
                weights = sum(p.numel() * 4 for p in unit.parameters())
                rows.append([unit_name, bytes_of(y), work, traffic, weights, macs])
                x = y
            last = max(i for i, row in enumerate(rows) if row[1] == freeze)
            for i, (unit_name, *counts) in enumerate(rows):
                frozen = "yes" if i <= last else "no"
                print("\t".join(map(str, [name, unit_name, frozen, *counts])))


if __name__ == "__main__":
    main()
