#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Imported MJCF against MuJoCo itself: the mass matrix at the start, masses, inertias, places, joint axes, coordinates.

    bench/import_against_mujoco.py PROGRAM FILE.xml ...

PROGRAM is the vinculum program, which converts each file; the scene it writes is read with tomllib and placed by the
forward product written down in docs/scene.md, so that nothing of the program is trusted but its text. Needs the Python
package mujoco. Limits, damping,
springs, actuators and keyframes are compared too. Prints the largest differences; exit status 1 if one exceeds 1e-6 (relative for masses and inertias).
Bodies fixed to the world and massless fixed bodies are part of others here and are not compared; where other parts are,
too (docs/decisions/robots.md), the mass matrix alone speaks for the masses.
"""
import pathlib, re, shutil, struct, subprocess, sys, tempfile, tomllib, zlib
import numpy as np
import mujoco

def rot(q):
    w, x, y, z = q
    return np.array([[1-2*(y*y+z*z), 2*(x*y-w*z), 2*(x*z+w*y)], [2*(x*y+w*z), 1-2*(x*x+z*z), 2*(y*z-w*x)],
                     [2*(x*z-w*y), 2*(y*z+w*x), 1-2*(x*x+y*y)]])

def turn(a, phi):
    return rot([np.cos(phi/2), *(np.sin(phi/2)*np.array(a))])

def compose(A, B):
    return A[0] + A[1] @ B[0], A[1] @ B[1]

def motion(joint):
    q, c = joint.get("q", []), np.array(joint.get("point", [0, 0, 0]), float)
    p, R = np.zeros(3), np.eye(3)
    if joint["type"] == "revolute": R = turn(joint["axis"], q[0])
    if joint["type"] == "prismatic": p = q[0]*np.array(joint["axis"])
    if joint["type"] == "spherical": R = rot(q)
    if joint["type"] == "free": p, R = np.array(q[:3], float), rot(q[3:])
    return c + p - R @ c, R

def load(file):
    """MuJoCo's model; where that fails, pictures that are missing are made up in a copy of the folder."""
    try:
        return mujoco.MjModel.from_xml_path(str(file))
    except ValueError:
        pass
    root = pathlib.Path(tempfile.mkdtemp())
    shutil.copytree(pathlib.Path(file).parent, root/"model")
    main = root/"model"/pathlib.Path(file).name
    folders = [root/"model", root/"model"/"assets"]
    chunk = lambda tag, data: (struct.pack(">I", len(data))+tag+data+struct.pack(">I", zlib.crc32(tag+data)))
    png = (b"\x89PNG\r\n\x1a\n"+chunk(b"IHDR", struct.pack(">IIBBBBB", 12, 12, 8, 2, 0, 0, 0)) +
           chunk(b"IDAT", zlib.compress((b"\0"+bytes(range(36)))*12))+chunk(b"IEND", b""))
    for xml in (root/"model").rglob("*.xml"):
        for name in re.findall(r'file="([^"]+\.png)"', xml.read_text()):
            for folder in folders:
                if folder.is_dir() and not (folder/name).exists():
                    (folder/name).parent.mkdir(parents=True, exist_ok=True)
                    (folder/name).write_bytes(png)
    try:
        return mujoco.MjModel.from_xml_path(str(main))
    finally:
        shutil.rmtree(root)

def far(a, b):
    return abs(a-b)/max(1, abs(b))

def columns(chain, X):
    """Along which axis and through which point each coordinate of a chain of joints moves, and where the chain ends."""
    out = []
    for j in chain:
        c, start = np.array(j.get("point", [0, 0, 0]), float), X
        if j["type"] in ("revolute", "continuous"): out.append((X[1] @ np.array(j["axis"]), X[0] + X[1] @ c))
        if j["type"] == "prismatic": out.append((X[1] @ np.array(j["axis"]), None))
        X = compose(X, motion(j))
        if j["type"] == "spherical": out += [(X[1][:, k], start[0] + start[1] @ c) for k in range(3)]
        if j["type"] == "free": out += [(e, None) for e in np.eye(3)] + [(X[1][:, k], X[0]) for k in range(3)]
    return out, X

def mass_matrix(scene, nv):
    """Sum of J^T I J over the bodies, by the definition of J; joints in the order of the file."""
    M, chains, v = np.zeros((nv, nv)), {}, 0
    for j in scene.get("joint", []):
        chains.setdefault(j["child"], []).append(j)
    place, above = {"world": (np.zeros(3), np.eye(3))}, {"world": []}
    for body in scene["body"]:
        chain = chains[body["name"]]
        X = compose(place[chain[0]["parent"]], (np.array(chain[0].get("position", [0, 0, 0]), float),
                                                rot(chain[0].get("quaternion", [1, 0, 0, 0]))))
        own, X = columns(chain, X)
        armature = np.concatenate([np.broadcast_to(j.get("armature", 0), len(columns([j], X)[0])) for j in chain])
        M[range(v, v+len(own)), range(v, v+len(own))] += armature
        all_columns = above[chain[0]["parent"]] + [(v+k, *c) for k, c in enumerate(own)]
        v += len(own)
        place[body["name"]], above[body["name"]] = X, all_columns
        com, J = X[0] + X[1] @ np.array(body["com"], float), np.zeros((6, nv))
        for k, a, p in all_columns:
            J[:3, k] = a if p is None else np.cross(a, com-p)
            if p is not None: J[3:, k] = a
        R = X[1]
        M += body["mass"]*J[:3].T @ J[:3] + J[3:].T @ (R @ matrix(body["inertia"]) @ R.T) @ J[3:]
    return M

def matrix(i):
    I = np.diag(np.array(i[:3], float))
    if len(i) == 6: I[0, 1] = I[1, 0] = i[3]; I[0, 2] = I[2, 0] = i[4]; I[1, 2] = I[2, 1] = i[5]
    return I

def full_mass_matrix(m, d):
    M = np.zeros((m.nv, m.nv))
    try:
        mujoco.mj_fullM(m, M, d.qM)
    except (AttributeError, TypeError):  # later versions
        mujoco.mj_fullM(m, d, M)
    return M

def parameters(scene, joints, m):
    """Limits, damping, armature, friction, springs of hinges and slides, in the order of the file."""
    worst, k = 0.0, 0
    for j in joints:
        if j["type"] == "fixed": continue
        dof = m.jnt_dofadr[k]
        if j["type"] in ("revolute", "prismatic"):
            limited = bool(m.jnt_limited[k])
            if limited != ("upper" in j): return float("inf")
            if limited: worst = max(worst, far(j.get("lower", 0), m.jnt_range[k][0]), far(j["upper"], m.jnt_range[k][1]))
            worst = max(worst, far(j.get("damping", 0), m.dof_damping[dof]), far(j.get("armature", 0), m.dof_armature[dof]),
                        far(j.get("friction", 0), m.dof_frictionloss[dof]), far(j.get("stiffness", 0), m.jnt_stiffness[k]),
                        far(j["q"][0], m.qpos0[m.jnt_qposadr[k]]))
            if m.jnt_stiffness[k]: worst = max(worst, far(j.get("rest", 0), m.qpos_spring[m.jnt_qposadr[k]]))
        k += 1
    return worst

def actuators(scene, m):
    """Gain, bias, gear and ranges; only where all actuators carried over."""
    mine, worst = scene.get("actuator", []), 0.0
    if len(mine) != m.nu: return 0.0
    for a, i in zip(mine, range(m.nu)):
        gain, bias = {"torque": (1, [0, 0, 0]), "position": (a.get("kp"), [0, -a.get("kp", 0), -a.get("kd", 0)]),
                      "velocity": (a.get("kd"), [0, 0, -a.get("kd", 0)]),
                      "general": (a.get("gain"), a.get("bias"))}[a["type"]]
        worst = max(worst, far(gain, m.actuator_gainprm[i][0]), far(np.ravel(a["gear"])[0], m.actuator_gear[i][0]),
                    *(far(bias[c], m.actuator_biasprm[i][c]) for c in range(3)))
        for key, limited, values in (("ctrl_range", m.actuator_ctrllimited[i], m.actuator_ctrlrange[i]),
                                     ("force_range", m.actuator_forcelimited[i], m.actuator_forcerange[i])):
            if bool(limited) != (key in a): return float("inf")
            if limited: worst = max(worst, far(a[key][0], values[0]), far(a[key][1], values[1]))
    return worst

def keys(scene, m):
    mine = scene.get("keyframe", [])
    if len(mine) != m.nkey: return 0.0
    return max((np.abs(np.array(k["q"])-m.key_qpos[i]).max() for i, k in enumerate(mine)), default=0.0)

def compare(program, file):
    with tempfile.NamedTemporaryFile(suffix=".toml") as out:
        subprocess.run([program, "convert", file, out.name], check=True, stdout=subprocess.DEVNULL)
        scene = tomllib.load(open(out.name, "rb"))
    m = load(file)
    d = mujoco.MjData(m)
    mujoco.mj_forward(m, d)
    joints = scene.get("joint", [])
    sizes = {"revolute": (1, 1), "prismatic": (1, 1), "spherical": (4, 3), "free": (7, 6), "fixed": (0, 0)}
    nq = sum(sizes[j["type"]][0] for j in joints)
    nv = sum(sizes[j["type"]][1] for j in joints)
    worst = {"nq": abs(nq-m.nq), "nv": abs(nv-m.nv), "mass": 0.0, "com": 0.0, "inertia": 0.0, "place": 0.0, "axis": 0.0}
    # Bodies of both sides in depth-first order; MuJoCo's without joints on the world, or massless ones, are not here.
    static = lambda b: m.body_weldid[b] == 0
    theirs = [b for b in range(1, m.nbody) if not static(b) and (m.body_jntnum[b] or m.body_mass[b] > 0)]
    ours = scene["body"]
    worst["bodies"] = abs(len(theirs)-len(ours))
    place, index = {"world": (np.zeros(3), np.eye(3))}, {b["name"]: i for i, b in enumerate(ours)}
    chains = {}
    for j in joints: chains.setdefault(j["child"], []).append(j)
    axes = []
    for body in ours:
        chain = chains[body["name"]]
        X = place[chain[0]["parent"]]
        X = compose(X, (np.array(chain[0].get("position", [0, 0, 0]), float), rot(chain[0].get("quaternion", [1, 0, 0, 0]))))
        for j in chain:
            if j["type"] in ("revolute", "prismatic"): axes.append(X[1] @ np.array(j["axis"]))
            elif j["type"] != "fixed": axes.append(None)
            X = compose(X, motion(j))
        place[body["name"]] = X
    for body, b in zip(ours, theirs) if not worst.pop("bodies") else ():
        p, R = place[body["name"]]
        worst["mass"] = max(worst["mass"], abs(body["mass"]/m.body_mass[b]-1))
        worst["place"] = max(worst["place"], np.abs(p-d.xpos[b]).max(), np.abs(R-d.xmat[b].reshape(3, 3)).max())
        worst["com"] = max(worst["com"], np.abs(p + R @ np.array(body["com"])-d.xipos[b]).max())
        I = matrix(body["inertia"])
        Ri = d.ximat[b].reshape(3, 3)
        J = Ri @ np.diag(m.body_inertia[b]) @ Ri.T
        worst["inertia"] = max(worst["inertia"], np.abs(R @ I @ R.T-J).max()/np.abs(J).max())
    for k, axis in enumerate(axes[:m.njnt]):
        if axis is not None: worst["axis"] = max(worst["axis"], np.abs(axis-d.xaxis[k]).max())
    if nv == m.nv:
        M = full_mass_matrix(m, d)
        size = np.sqrt(np.diag(M))
        worst["M"] = (np.abs(mass_matrix(scene, nv)-M)/np.outer(size, size)).max()
    worst["joint"], worst["actuator"], worst["key"] = parameters(scene, joints, m), actuators(scene, m), keys(scene, m)
    total = sum(b["mass"] for b in ours)/sum(m.body_mass[b] for b in theirs)-1 if theirs else 0
    nu = len(scene.get("actuator", []))
    print(f"{file}: bodies {len(ours)}/{len(theirs)} nq {nq}/{m.nq} nv {nv}/{m.nv} nu {nu}/{m.nu} total mass {total:.1e}",
          " ".join(f"{k} {v:.1e}" for k, v in worst.items() if k not in ("nq", "nv")))
    return max(worst.values()) > 1e-6

if __name__ == "__main__":
    bad = 0
    for file in sys.argv[2:]:
        try:
            bad += bool(compare(sys.argv[1], file))
        except Exception as error:  # a file that one of the two cannot read
            print(f"{file}: {type(error).__name__}: {str(error)[:200]}")
            bad += 1
    sys.exit(bool(bad))
