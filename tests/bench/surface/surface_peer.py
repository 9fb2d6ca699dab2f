#!/usr/bin/env python3
"""The search for the most similar patches in PyTorch, for comparison: chunked matrix product and topk.

usage: surface_peer.py ELEMENTS... (a folded sheet with noise is made here: 125 values for each patch, 96 neighbors)

Prints milliseconds (median of five after one) and the recall of the neighbors by exhaustive search in double, in 400
rows. Device resident: patches and results stay in the GPU's memory.
"""
import sys
import time

import torch

COUNT, SIDE, CHECKED = 96, 5, 400


def patches(elements):
    """This many patches of the distance to a wavy sheet, with noise like that of a noisy mask."""
    size = max(48, int((elements / 4) ** 0.5) + 16)
    torch.manual_seed(1)
    x, y, z = torch.meshgrid(torch.arange(size), torch.arange(size), torch.arange(40), indexing="ij")
    wave = 20 + 6 * torch.sin(0.11 * x) + 4 * torch.sin(0.07 * y)
    phi = (z - wave + 0.6 * torch.randn(size, size, 40)).clamp(-32, 32)
    values = phi.unfold(0, SIDE, 1).unfold(1, SIDE, 1).unfold(2, SIDE, 1).reshape(-1, SIDE**3)
    values = values[values[:, SIDE**3 // 2].abs() <= 3]
    assert len(values) >= elements, (len(values), elements)
    return values[:elements].contiguous().cuda()


def search(a, chunk):
    norms = (a * a).sum(1)
    index = torch.empty(len(a), COUNT, dtype=torch.int32, device=a.device)
    for begin in range(0, len(a), chunk):
        rows = slice(begin, min(begin + chunk, len(a)))
        distance = torch.addmm(norms[None, :], a[rows], a.T, alpha=-2)
        index[rows] = distance.topk(COUNT + 1, largest=False).indices[:, 1:]
    return index


def recall(a, index):
    rows = torch.arange(0, len(a), max(1, len(a) // CHECKED), device=a.device)[:CHECKED]
    right = 0
    for row in rows.tolist():
        distance = ((a.double() - a[row].double()) ** 2).sum(1) if len(a) < 300000 else torch.cat(
            [((part.double() - a[row].double()) ** 2).sum(1) for part in a.split(200000)])
        distance[row] = -1
        true = distance.topk(COUNT + 1, largest=False).indices[1:]
        right += len(set(true.tolist()) & set(index[row].tolist()))
    return right / (len(rows) * COUNT)


def main():
    print(f"PyTorch {torch.__version__}, {torch.cuda.get_device_name()}")
    for elements in map(int, sys.argv[1:]):
        a = patches(elements)
        chunk = max(256, min(elements, int(4e9 / elements / 4)))
        for tf32 in (False, True):
            torch.backends.cuda.matmul.allow_tf32 = tf32
            seconds = []
            for repeat in range(6 if elements < 500000 else 2):
                torch.cuda.synchronize()
                begin = time.perf_counter()
                index = search(a, chunk)
                torch.cuda.synchronize()
                if repeat:
                    seconds.append(time.perf_counter() - begin)
            seconds.sort()
            print(f"| PyTorch {'tf32' if tf32 else 'fp32'} | {elements} | {seconds[len(seconds) // 2] * 1e3:.4g} "
                  f"| {recall(a, index):.6f} |", flush=True)


main()
