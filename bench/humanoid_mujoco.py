#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times MuJoCo's step: humanoid_mujoco.py FILE BATCH [JOINT=BY ...] FROM TO [FROM TO ...], for bench/humanoid.cpp.

Prints for each phase [FROM, TO) of simulated time: median CPU microseconds per step over batches of BATCH steps made
by one call (no Python in between), mean number of contacts, deepest overlap in m; then the same of the whole run, with
the mean instead of the median. JOINT=BY turns a hinge of the start by BY, or raises a free joint. The time is that of
this thread: others of the interpreter's libraries now and then take milliseconds that are not MuJoCo's. Without the
package mujoco: a message.
"""
import statistics, sys, time

try:
    import mujoco
except ImportError:
    sys.exit("bench: the Python package mujoco is not installed, left out")

file, batch = sys.argv[1], int(sys.argv[2])
changes = [x.rsplit("=", 1) for x in sys.argv[3:] if "=" in x]
bounds = [float(x) for x in sys.argv[3:] if "=" not in x]
model = mujoco.MjModel.from_xml_path(file)
data = mujoco.MjData(model)
for name, by in changes:
    joint = model.joint(name)
    data.qpos[joint.qposadr[0] + (2 if joint.type[0] == mujoco.mjtJoint.mjJNT_FREE else 0)] += float(by)
begins, ends = bounds[::2] + [0], bounds[1::2] + [bounds[-1]]  # the whole run comes last
times, contacts, overlap = [[] for _ in begins], [[] for _ in begins], [0.0] * len(begins)
while data.time < bounds[-1] - 1e-9:
    at = [i for i, (a, b) in enumerate(zip(begins, ends)) if a - 1e-9 <= data.time < b - 1e-9]
    begin = time.thread_time()
    mujoco.mj_step(model, data, batch)
    seconds = time.thread_time() - begin
    for i in at:
        times[i].append(seconds / batch)
        contacts[i].append(data.ncon)
        overlap[i] = max([overlap[i]] + [-c.dist for c in data.contact])
for i, (t, n, o) in enumerate(zip(times, contacts, overlap)):
    print(1e6 * (statistics.median(t) if i + 1 < len(times) else statistics.mean(t)), statistics.mean(n), o)
