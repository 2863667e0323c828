#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times MuJoCo's step: humanoid_mujoco.py FILE BATCH FROM TO [FROM TO ...], for bench/humanoid.cpp.

Prints for each phase [FROM, TO) of simulated time: median CPU microseconds per step over batches of BATCH steps made
by one call (no Python in between), mean number of contacts, deepest overlap in m. Without the package mujoco: a message.
"""
import statistics, sys, time

try:
    import mujoco
except ImportError:
    sys.exit("bench: the Python package mujoco is not installed, left out")

file, batch = sys.argv[1], int(sys.argv[2])
bounds = [float(x) for x in sys.argv[3:]]
phases = list(zip(bounds[::2], bounds[1::2]))
model = mujoco.MjModel.from_xml_path(file)
data = mujoco.MjData(model)
times, contacts, overlap = [[] for _ in phases], [[] for _ in phases], [0.0] * len(phases)
while data.time < bounds[-1] - 1e-9:
    at = next((i for i, (a, b) in enumerate(phases) if a - 1e-9 <= data.time < b - 1e-9), None)
    begin = time.process_time()
    mujoco.mj_step(model, data, batch)
    seconds = time.process_time() - begin
    if at is None:
        continue
    times[at].append(seconds / batch)
    contacts[at].append(data.ncon)
    overlap[at] = max([overlap[at]] + [-c.dist for c in data.contact])
for t, n, o in zip(times, contacts, overlap):
    print(1e6 * statistics.median(t), statistics.mean(n), o)
