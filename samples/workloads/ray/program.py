"""Ray tracing: a launch a picture, while the eye goes around the scene."""

import numpy as np
from scipy.ndimage import map_coordinates, maximum_filter, minimum_filter

from warpmill.checks import equal, holds

BLOCK = (16, 8)
MOST_OBJECTS, MOST_BOUNCES = 64, 5  # this and the next two lines as in ray.cu
LIFT, LEAST, AMBIENT = 0.001, 0.004, 0.25
SPHERE, FLOOR = 0, 1
EXTENT = 9.0  # of the floor: far enough, and not so far that a texel is lost to rounding
REPEATS = 0.25  # of the pattern, in each unit of length
MOST_TRIES = 20_000  # to place spheres; 30 of them found room with each of 100 seeds


def make(*, width, height, spheres, bounces, frames, look, seed):
    """Place spheres on a floor so that none cuts another; some are mirrors, some are dull."""
    if width < 1 or height < 1:
        raise ValueError(f"a picture of {width} x {height} pixels: width and height are 1 or more")
    if not 1 <= spheres < MOST_OBJECTS:
        raise ValueError(f"{spheres} spheres: there are 1 to {MOST_OBJECTS - 1}")
    if not 1 <= bounces <= MOST_BOUNCES:
        raise ValueError(f"{bounces} bounces: there are 1 to {MOST_BOUNCES}")
    if frames < 1:
        raise ValueError(f"{frames} frames: there is 1 or more")
    if seed < 0:
        raise ValueError(f"a seed of {seed}: it is 0 or more")
    rng = np.random.default_rng(seed)
    placed = apart(rng, spheres)
    count = len(placed)
    shares = np.resize([0.75, 0.0, 0.4, 0.15], count)
    objects = np.zeros((count + 1, 3, 4), np.float32)
    objects[:count, 0] = placed
    objects[:count, 1] = np.column_stack([rng.uniform(0.3, 1.0, (count, 3)), shares])
    shininess = rng.integers(8, 64, count)
    objects[:count, 2] = np.column_stack(
        [np.full(count, 0.8), np.full(count, 0.5), shininess, np.full(count, SPHERE)]
    )
    objects[count] = [[0, 0, 0, EXTENT], [1, 1, 1, 0.2], [0.7, 0, 1, FLOOR]]
    return {
        "objects": objects,
        "views": [camera(*flight(frame / frames, look)) for frame in range(frames)],
        "lamp": np.array([-5.0, 9.0, -6.0, 1.0], np.float32),
        "pattern": checkerboard(rng),
        "width": width,
        "height": height,
        "pitch": np.float32(0.8 / min(width, height)),
        "bounces": bounces,
    }


def apart(rng, spheres):
    """Draw spheres, and keep those that cut none before them; ValueError where they find no room.

    Some stand on the floor, some are above it.
    """
    placed = []
    for _ in range(MOST_TRIES):
        radius = rng.uniform(0.5, 1.1)
        centre = np.array([rng.uniform(-4, 4), radius + rng.choice([0.0, 0.6]), rng.uniform(-4, 4)])
        if all(np.linalg.norm(centre - other[:3]) > radius + other[3] for other in placed):
            placed.append(np.array([*centre, radius]))
        if len(placed) == spheres:
            return placed
    raise ValueError(f"{spheres} spheres: only {len(placed)} found room on the floor, take fewer")


def flight(part, look):
    """Give where the eye is in a part of its way around the scene, and what it looks at."""
    turn = 2 * np.pi * part
    nearness = 1 - 0.45 * np.sin(turn / 2) ** 2  # half the way around it is near, and low
    across, ahead = 0.5 * nearness, -9.0 * nearness
    c, s = np.cos(turn), np.sin(turn)
    eye = [c * across + s * ahead, 4.0 * nearness, c * ahead - s * across]
    return np.array(eye), np.array([0.0, look, 0.0])


def camera(eye, target):
    """Give right, up and forward of an eye that looks at a point, and where it is."""
    ahead = (target - eye) / np.linalg.norm(target - eye)
    right = np.cross([0.0, 1.0, 0.0], ahead)
    right /= np.linalg.norm(right)
    axes = np.stack([right, np.cross(ahead, right), ahead])
    return np.column_stack([axes, eye]).astype(np.float32)


def checkerboard(rng, side=32):
    """Make a pattern of two by two fields with some grain, as bytes."""
    field = np.indices((side, side)) * 2 // side
    grain = rng.integers(-12, 13, (side, side, 4))
    base = np.where((field.sum(0) % 2 == 0)[..., None], [220, 210, 190, 255], [70, 60, 60, 255])
    return np.clip(base + grain, 0, 255).astype(np.uint8)


def run(device, modules, inputs):
    """Render all frames; pictures as bytes, row by row, and the object that each pixel shows."""
    module, width, height = modules["ray"], inputs["width"], inputs["height"]
    count = len(inputs["objects"])
    view = module.symbol("view", np.float32, (3, 4))
    module.symbol("lamp", np.float32, (4,)).set(inputs["lamp"])
    module.symbol("objects", np.float32, (MOST_OBJECTS, 3, 4))[:count].set(inputs["objects"])
    pattern = device.texture(
        inputs["pattern"],
        channels=4,
        filter="linear",
        address="wrap",
        normalised_coordinates=True,
        normalised_values=True,
    )
    picture = device.zeros((height, width), np.uint32, name="picture")
    shown = device.zeros((height, width), np.int32, name="shown")
    grid = (-(-width // BLOCK[0]), -(-height // BLOCK[1]))
    sizes = [width, height, inputs["pitch"], count, inputs["bounces"]]
    pictures, seen = [], []
    for position in inputs["views"]:
        view.set(position)
        args = [picture, shown, *sizes, pattern, REPEATS]
        device.launch(module["ray_render"], grid, BLOCK, args)
        device.synchronize()
        pictures.append(picture.get().view(np.uint8).reshape(height, width, 4))
        seen.append(shown.get())
    return {"picture": np.stack(pictures), "shown": np.stack(seen)}


def check(inputs, results):
    """Compare with pictures computed in double precision.

    Edges of objects and shadows, seen directly or in mirrors, belong to the one side or the other
    by rounding: one pixel in a thousand may differ. All others may by one level of 255 from the
    exact value: half is for the rounding to levels, half for the texture unit, whose weights have
    eight bits. Which object is seen has to be the same wherever a pixel's neighbours show it too.
    """
    frames = [traced(inputs, view) for view in inputs["views"]]
    light = np.stack([light for light, _ in frames])
    shown = np.stack([shown for _, shown in frames])
    levels = 255 * np.clip(light, 0, 1)
    wrong = (np.abs(results["picture"][..., :3] - levels) > 1).any(axis=-1)
    within = np.count_nonzero(wrong) <= wrong.size // 1000
    against = "a ray tracer over whole arrays in float64"
    yield holds("at most one pixel in 1000 is off by more than one level", within, against)
    near = (1, 3, 3)
    inner = minimum_filter(shown, near) == maximum_filter(shown, near)
    yield equal("objects shown, away from edges", results["shown"][inner], shown[inner], against)
    yield equal("opacity", results["picture"][..., 3], np.full(shown.shape, 255), "opaque")


def traced(inputs, view):
    """Trace all pixels at once: what light they get, and which object they show.

    All rays bounce together; those that have left the scene, or whose share is too small, are
    taken out of the arrays.
    """
    width, height = inputs["width"], inputs["height"]
    view = view.astype(np.float64)
    y, x = np.mgrid[:height, :width].reshape(2, -1) + 0.5
    screen = np.stack([x - width / 2, height / 2 - y, np.full(x.size, 1 / inputs["pitch"])], axis=1)
    way = _unit(screen @ view[:, :3])
    from_ = np.broadcast_to(view[:, 3], way.shape)
    light = np.zeros(way.shape)
    shown = None
    pixel, share = np.arange(x.size), np.ones(x.size)
    for _ in range(inputs["bounces"]):
        distance = distances(inputs["objects"], from_, way)
        nearest = np.where(np.isfinite(distance).any(axis=0), distance.argmin(axis=0), -1)
        shown = nearest if shown is None else shown
        sky, met = nearest < 0, nearest >= 0
        light[pixel[sky]] += share[sky, None] * sky_colour(way[sky])
        pixel, share, nearest = pixel[met], share[met], nearest[met]
        at = from_[met] + distance[:, met].min(axis=0)[:, None] * way[met]
        from_, way, given, mirror = bounced(inputs, nearest, at, way[met])
        light[pixel] += share[:, None] * given
        share = share * mirror
        go_on = share >= LEAST
        pixel, share, from_, way = pixel[go_on], share[go_on], from_[go_on], way[go_on]
    return light.reshape(height, width, 3), shown.reshape(height, width)


def distances(objects, from_, way):
    """Give how far each object is along each ray, infinite where it is not met."""
    found = np.full((len(objects), len(way)), np.inf)
    for one, (place, _, finish) in zip(found, objects.astype(np.float64), strict=True):
        if finish[3] == SPHERE:
            offset = from_ - place[:3]
            b, c = 2 * (offset * way).sum(1), (offset**2).sum(1) - place[3] ** 2
            root = np.sqrt(np.maximum(b * b - 4 * c, 0))
            t = (-b - root) / 2
            one[(root > 0) & (t > 0)] = t[(root > 0) & (t > 0)]
        else:
            down = way[:, 1] < 0
            t = (place[1] - from_[:, 1]) / np.where(down, way[:, 1], 1)
            at = from_ + t[:, None] * way
            met = down & (np.hypot(at[:, 0], at[:, 2]) < place[3])
            one[met] = t[met]
    return found


def bounced(inputs, nearest, at, way):
    """Give the rays that go on, the light that the objects give here, and what they mirror."""
    objects, lamp = inputs["objects"].astype(np.float64), inputs["lamp"].astype(np.float64)
    place, paint, finish = objects[nearest].transpose(1, 0, 2)
    is_floor = finish[:, 3] == FLOOR
    normal = np.where(is_floor[:, None], [0.0, 1.0, 0.0], (at - place[:, :3]) / place[:, 3:])
    colour = np.where(
        is_floor[:, None], paint[:, :3] * texture(inputs["pattern"], at), paint[:, :3]
    )
    from_ = at + LIFT * normal
    to_lamp = lamp[:3] - from_
    reach = np.linalg.norm(to_lamp, axis=1)
    to_lamp /= reach[:, None]
    lit = (distances(objects, from_, to_lamp) >= reach).all(axis=0)
    householder = np.eye(3) - 2 * normal[:, :, None] * normal[:, None, :]
    mirrored = np.einsum("nij,nj->ni", householder, way)
    facing = lit * np.maximum((normal * to_lamp).sum(1), 0)
    towards = (lit & (facing > 0)) * np.maximum((mirrored * to_lamp).sum(1), 0)
    diffuse = (1 - paint[:, 3]) * (AMBIENT + finish[:, 0] * facing)
    gloss = finish[:, 1] * lamp[3] * towards ** finish[:, 2]
    return from_, mirrored, colour * diffuse[:, None] + gloss[:, None], paint[:, 3]


def texture(pattern, at):
    """Look up the floor's pattern between texels, whose centres are half a texel in."""
    side = len(pattern)
    place = np.stack([at[:, 2], at[:, 0]]) * REPEATS * side - 0.5
    parts = (pattern[..., k] / 255.0 for k in range(3))
    return np.stack([map_coordinates(p, place, order=1, mode="grid-wrap") for p in parts], axis=1)


def sky_colour(way):
    """Give the colour of the sky in some directions: bluer upwards."""
    up = np.maximum(way[:, 1:2], 0)
    return np.array([0.75, 0.8, 0.9]) - up * np.array([0.5, 0.35, 0.0])


def _unit(vectors):
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
