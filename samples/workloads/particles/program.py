"""Particle simulation: two clouds of balls are thrown at each other, around an obstacle."""

import numpy as np
from scipy.spatial import cKDTree

from warpmill.checks import close, equal, holds

BLOCK, LOCAL = 256, 512  # as in particles.cu
COLLIDE_BLOCK = 64  # more CTAs for the kernel whose threads differ most
EMPTY = 0xFFFFFFFF
RULES = (
    "seconds", "gravity", "drag", "bounce", "radius", "spring", "damping", "shear",
    "obstacle_x", "obstacle_y", "obstacle_z", "obstacle_radius", "per_length",
)  # fmt: skip
NEAR = 1e-5  # friction sets in all at once where balls touch: those as near to it are left out


def make(balls, bits, steps, filling, seed):
    """Draw two clouds of balls that fly towards each other; every 16th is somewhere else."""
    if balls < 2 or not 2 <= bits <= 8 or steps < 1 or not filling > 0:
        raise ValueError("balls are 2 or more, bits from 2 to 8, steps from 1, filling above 0")
    cells = 1 << bits
    radius = 1 / cells
    in_cells = balls / filling * (2 * radius) ** 3  # the room of all balls
    cloud = (in_cells / 2 * 3 / (4 * np.pi)) ** (1 / 3)
    if cloud > 0.95:
        words = f"{balls} balls fill more than the box"
        raise ValueError(f"{words}: take fewer, more bits or more filling")
    rng = np.random.default_rng(seed)
    ways = rng.standard_normal((balls, 3))
    ways *= (cloud * rng.random(balls) ** (1 / 3) / np.linalg.norm(ways, axis=1))[:, None]
    side = np.where(np.arange(balls) % 2 == 0, 1.0, -1.0)
    place = np.zeros((balls, 4), np.float32)
    place[:, :3] = ways + side[:, None] * np.array([min(1 - cloud, 1.1 * cloud), 0.0, 0.1 * cloud])
    place[::16, :3] = rng.uniform(-1, 1, place[::16, :3].shape)
    place[:, :3] = place[:, :3].clip(radius - 1, 1 - radius)
    place[:, 3] = 1
    speed = np.zeros((balls, 4), np.float32)
    speed[:, :3] = -4.0 * radius * side[:, None] * np.array([1.0, -0.2, -0.5])
    speed[::16] = 0
    spread = np.where(np.arange(balls) % 16 == 0, 2.5, 0.1)[:, None]
    speed[:, :3] += radius * spread * rng.standard_normal((balls, 3))
    values = {
        "seconds": 0.5, "gravity": -0.05 * radius, "drag": 0.999, "bounce": -0.5,
        "radius": radius, "spring": 0.3, "damping": 0.02, "shear": 0.05,
        "obstacle_x": 0.1, "obstacle_y": -0.2, "obstacle_z": 0.0, "obstacle_radius": 0.15,
        "per_length": cells / 2,
    }  # fmt: skip
    return {
        "places": place,
        "speeds": speed,
        "rules": np.array([values[name] for name in RULES], np.float32),
        "bits": bits,
        "steps": steps,
    }


def run(device, modules, inputs):
    """Take all steps; places are copied to the host after each, to be drawn there.

    What the last step starts from, and what its kernels leave, is given for the checks.
    """
    module, steps = modules["particles"], inputs["steps"]
    balls, cells = len(inputs["places"]), 1 << 3 * inputs["bits"]
    elements = max(LOCAL, 1 << (balls - 1).bit_length())
    state = {
        "places": device.array(inputs["places"], name="places"),
        "speeds": device.array(inputs["speeds"], name="speeds"),
        "sorted_places": device.zeros((balls, 4), np.float32, name="sorted places"),
        "sorted_speeds": device.zeros((balls, 4), np.float32, name="sorted speeds"),
        "keys": device.zeros(elements, np.uint32, name="keys"),
        "ids": device.zeros(elements, np.uint32, name="ids"),
        "starts": device.zeros(cells, np.uint32, name="starts of cells"),
        "ends": device.zeros(cells, np.uint32, name="ends of cells"),
    }
    if modules.is_opencl:
        rules = [device.array(inputs["rules"], name="rules")]
    else:
        module.symbol("rules", np.float32, (len(RULES),)).set(inputs["rules"])
        rules = []
    frames = []
    for _ in range(steps - 1):
        move(device, module, state, rules)
        sort_and_collide(device, module, state, rules)
        device.synchronize()
        frames.append(state["places"].get()[:, :3])
    results = {"places_before": state["places"].get(), "speeds_before": state["speeds"].get()}
    move(device, module, state, rules)
    results |= {"places": state["places"].get(), "speeds": state["speeds"].get()}
    sort_and_collide(device, module, state, rules)
    results |= {name: state[name].get() for name in ("keys", "ids", "starts", "ends")}
    results["new_speeds"] = state["speeds"].get()
    results["farthest"] = np.array([np.abs(frame).max() for frame in frames], np.float32)
    return results


def move(device, module, state, rules):
    """Let all balls fly for a step."""
    balls = len(state["places"])
    args = [state["places"], state["speeds"], balls, *rules]
    device.launch(module["integrate"], -(-balls // BLOCK), BLOCK, args)


def sort_and_collide(device, module, state, rules):
    """Sort the balls into cells, and let them push each other."""
    keys, ids, starts, ends = (state[name] for name in ("keys", "ids", "starts", "ends"))
    balls, elements, cells = len(state["places"]), len(keys), len(starts)
    bits = cells.bit_length() // 3
    args = [keys, ids, state["places"], balls, bits, *rules]
    device.launch(module["hash_balls"], elements // BLOCK, BLOCK, args)
    sort(device, module, keys, ids)
    device.launch(module["clear_cells"], -(-cells // BLOCK), BLOCK, [starts, cells])
    sorted_state = [state["sorted_places"], state["sorted_speeds"]]
    args = [starts, ends, *sorted_state, keys, ids, state["places"], state["speeds"], balls]
    device.launch(module["find_cells"], -(-balls // BLOCK), BLOCK, args)
    args = [state["speeds"], *sorted_state, ids, starts, ends, balls, bits, *rules]
    device.launch(module["collide"], -(-balls // COLLIDE_BLOCK), COLLIDE_BLOCK, args)


def sort(device, module, keys, ids):
    """Sort keys, and ids with them: a launch for each stride that shared memory does not hold."""
    elements = len(keys)
    device.launch(module["sort_local"], elements // LOCAL, BLOCK, [keys, ids])
    size = 2 * LOCAL
    while size <= elements:
        stride = size // 2
        while stride >= LOCAL:
            args = [keys, ids, size, stride]
            device.launch(module["merge_global"], elements // LOCAL, BLOCK, args)
            stride //= 2
        device.launch(module["merge_local"], elements // LOCAL, BLOCK, [keys, ids, size])
        size *= 2


def check(inputs, results):
    """Check each kernel of the last step against a library."""
    rules = dict(zip(RULES, inputs["rules"], strict=True))
    yield from check_flight(rules, results)
    yield from check_cells(inputs, rules, results)
    yield from check_push(rules, results)
    inside = results["farthest"] <= 1 - rules["radius"]
    if len(inside):
        yield holds("balls stay in the box", inside, "its walls")


def check_flight(rules, results):
    """Compare the flight with numpy's, in float64."""
    seconds, most = rules["seconds"], 1.0 - rules["radius"]
    speed = results["speeds_before"][:, :3].astype(np.float64)
    speed[:, 1] += rules["gravity"] * seconds
    speed *= rules["drag"]
    place = results["places_before"][:, :3] + speed * seconds
    against = "free flight, numpy.clip"
    kept = np.clip(place, -most, most)
    yield close("places", results["places"][:, :3], kept, against, rtol=0, atol=3e-7)
    clear = np.abs(np.abs(place) - most) > 1e-6  # rounding decides whether others reach a wall
    turned = np.where(kept == place, speed, speed * rules["bounce"])
    yield close("speeds", results["speeds"][:, :3][clear], turned[clear], against, atol=1e-8)


def check_cells(inputs, rules, results):
    """Compare cells, their order and their bounds with NumPy's."""
    balls, side = len(inputs["places"]), 1 << inputs["bits"]
    x, y, z = ((results["places"][:, :3] + np.float32(1)) * rules["per_length"]).astype(int).T
    cells = np.ravel_multi_index((z, y, x), (side, side, side))
    keys, ids = results["keys"], results["ids"]
    padding = np.full(len(keys) - balls, EMPTY)
    yield equal("keys in order", keys, np.concatenate([np.sort(cells), padding]), "numpy.sort")
    yield equal("each ball is there once", np.sort(ids), np.arange(len(ids)), "numpy.arange")
    yield equal("keys of the balls", keys[:balls], cells[ids[:balls]], "numpy.ravel_multi_index")
    found = np.arange(side**3)
    starts = np.searchsorted(keys[:balls], found, "left")
    ends = np.searchsorted(keys[:balls], found, "right")
    there = ends > starts
    starts = np.where(there, starts, EMPTY)
    yield equal("starts", results["starts"], starts, "numpy.searchsorted")
    yield equal("ends", results["ends"][there], ends[there], "numpy.searchsorted")


def check_push(rules, results):
    """Compare with the pairs that a k-d tree finds, in float64."""
    place = results["places"][:, :3].astype(np.float64)
    speed = results["speeds"][:, :3].astype(np.float64)
    reach = 2 * float(rules["radius"])
    i, j = cKDTree(place).query_pairs(reach * (1 + NEAR), output_type="ndarray").T
    gained, scale, doubtful = np.zeros_like(place), np.zeros(len(place)), np.zeros(len(place), bool)
    pushed, unclear = pushes(rules, place[j] - place[i], speed[j] - speed[i], reach)
    for ends, sign in ((i, 1), (j, -1)):
        np.add.at(gained, ends, sign * pushed)
        np.add.at(scale, ends, np.abs(pushed).max(axis=1, initial=0))
        doubtful[ends[unclear]] = True
    centre = [rules["obstacle_x"], rules["obstacle_y"], rules["obstacle_z"]]
    reach = float(rules["radius"]) + float(rules["obstacle_radius"])
    pushed, unclear = pushes(rules, np.array(centre) - place, -speed, reach)
    gained, scale = gained + pushed, scale + np.abs(pushed).max(axis=1)
    doubtful |= unclear
    yield holds("balls that clearly touch or not, in 100", [doubtful.mean() < 0.01], "a k-d tree")
    # differences of places lose what places have been rounded by; friction is small beside that
    error = np.abs(results["new_speeds"][:, :3] - speed - gained).max(axis=1)
    fits = error[~doubtful] <= 1e-7 + 2e-5 * scale[~doubtful]
    yield holds("speeds after collisions", fits, "scipy.spatial.cKDTree in float64")


def pushes(rules, way, speed, reach):
    """Give what balls gain from others, and which of them may or may not touch by rounding."""
    distance = np.linalg.norm(way, axis=1)
    line = way / np.maximum(distance, 1e-30)[:, None]
    along = (speed * line).sum(axis=1)[:, None] * line
    spring = -float(rules["spring"]) * (reach - distance)[:, None] * line
    gained = spring + float(rules["damping"]) * speed + float(rules["shear"]) * (speed - along)
    gained[distance >= reach] = 0
    return gained, np.abs(distance / reach - 1) < NEAR
