"""Ambient occlusion: frames of a camera that goes around, tile by tile, in passes of a few rays."""

import numpy as np
from scipy.stats import binom, hypergeom

from warpmill.checks import equal, holds

BLOCK = (16, 8)
SHADE_BLOCK = 256
MOST_SPHERES = 32  # as in ao.cu
LIFT = 0.0005  # as in ao.cu
MOST_TRIES = 20_000  # to place spheres
SAMPLES, RAYS = 1500, 500  # pixels that are checked with rays of NumPy's, and how many
SIGMAS = 5.0  # how far chance may be off; a right kernel goes beyond once in two million checks
FEWEST_RAYS = 16  # of a pixel: of fewer, single hits would be beyond such bounds
CHANCE = 1e-9  # what no pixel of a right kernel should be beyond


def make(*, width, height, spheres, seed, **others):
    """Place spheres that do not cut each other on a floor, and a camera for each frame."""
    if min(width, height, *others.values()) < 1:
        raise ValueError("width, height, tile, frames, passes and rays are 1 or more")
    if others["tile"] % BLOCK[0]:
        raise ValueError(f"tile is a multiple of {BLOCK[0]}, as a CTA is wide")
    if others["rays"] * others["passes"] < FEWEST_RAYS:
        raise ValueError(f"rays * passes are {FEWEST_RAYS} or more, or chance would decide")
    if not 1 <= spheres <= MOST_SPHERES:
        raise ValueError(f"{spheres} spheres: there are 1 to {MOST_SPHERES}")
    rng = np.random.default_rng(seed)
    angle = rng.uniform(0, 2 * np.pi) + np.arange(others["frames"]) * 0.35
    height_of_eye = 1.2 + 0.9 * np.sin(2 * angle)
    eyes = np.stack([6.5 * np.sin(angle), 1.0 + height_of_eye, 6.5 * np.cos(angle)], axis=1)
    target = np.array([0.0, 0.8, 0.0])
    return {
        "spheres": np.array(apart(rng, spheres), np.float32),
        "views": np.stack([camera(eye, target) for eye in eyes]),
        "pitch": np.float32(1.1 / width),
        "width": width,
        "height": height,
        "seed": seed,
        **others,
    }


def apart(rng, wanted):
    """Draw spheres, some on the floor and some above, and keep those that cut none before them."""
    placed = []
    for _ in range(MOST_TRIES):
        radius = rng.uniform(0.3, 0.8)
        above = rng.choice([0.0, 0.4])
        centre = np.array([rng.uniform(-3, 3), radius + above, rng.uniform(-3, 3)])
        if all(np.linalg.norm(centre - other[:3]) > radius + other[3] for other in placed):
            placed.append(np.array([*centre, radius]))
        if len(placed) == wanted:
            return placed
    raise ValueError(f"{wanted} spheres: only {len(placed)} found room on the floor, take fewer")


def camera(eye, target):
    """Give right, up and forward of an eye that looks at a point, and where it is."""
    ahead = (target - eye) / np.linalg.norm(target - eye)
    right = np.cross([0.0, 1.0, 0.0], ahead)
    right /= np.linalg.norm(right)
    axes = np.stack([right, np.cross(ahead, right), ahead])
    return np.column_stack([axes, eye]).astype(np.float32)


def run(device, modules, inputs):
    """Render all frames; the host shows each when its passes are done."""
    module, width, height = modules["ao"], inputs["width"], inputs["height"]
    spheres = inputs["spheres"]
    module.symbol("spheres", np.float32, (MOST_SPHERES, 4))[: len(spheres)].set(spheres)
    view = module.symbol("view", np.float32, (3, 4))
    hits = device.zeros((height, width), np.int32, name="hits")
    shown = device.zeros((height, width), np.int32, name="shown")
    picture = device.zeros((height, width), np.uint8, name="picture")
    rays, pixels = inputs["rays"] * inputs["passes"], width * height
    pictures, seen = [], []
    for frame, position in enumerate(inputs["views"]):
        view.set(position)
        for number in range(inputs["passes"]):
            for tile in tiles(inputs):
                sizes = [width, height, inputs["pitch"], len(spheres), inputs["rays"], number]
                args = [hits, shown, *tile, *sizes, seed_of(inputs, frame)]
                grid = (inputs["tile"] // BLOCK[0], inputs["tile"] // BLOCK[1])
                device.launch(module["ao_pass"], grid, BLOCK, args)
            device.synchronize()
        args = [picture, hits, pixels, rays]
        device.launch(module["ao_shade"], -(-pixels // SHADE_BLOCK), SHADE_BLOCK, args)
        pictures.append(picture.get())
        seen.append(shown.get())
    return {"pictures": np.stack(pictures), "shown": np.stack(seen), "hits": hits.get()}


def tiles(inputs):
    """Give the first column and row of each tile, row by row."""
    step = inputs["tile"]
    for row in range(0, inputs["height"], step):
        for column in range(0, inputs["width"], step):
            yield column, row


def seed_of(inputs, frame):
    """Give a frame's own seed."""
    return np.uint32((inputs["seed"] * 1_000_003 + frame * 7_919) % 2**32)


def check(inputs, results):
    """Compare what is seen with geometry, and how much of the sky with form factors and rays.

    Each pixel has its own rays: how far it is off is told in standard deviations.
    """
    count, frames = len(inputs["spheres"]), range(inputs["frames"])
    traced = [seen_from(inputs, frame) for frame in frames]
    expected = np.stack([shown for shown, _ in traced]).reshape(results["shown"].shape)
    same = (results["shown"] == expected).mean()
    yield holds("objects shown, of 999 pixels in 1000", [same > 0.999], "geometry in float64")
    rays, hits = inputs["rays"] * inputs["passes"], results["hits"]
    off = np.abs(results["pictures"][-1] - 255 * (1 - hits / rays))
    yield holds("the last picture has the shades of its hits", off < 0.501, "half a shade")
    sky = results["pictures"][results["shown"] < 0]
    if sky.size:
        yield equal("the sky is white", sky, np.full(len(sky), 255), "nothing stops a ray")
    for frame in frames:
        shown, at = traced[frame]
        floor = (shown == results["shown"][frame].ravel()) & (shown == count)
        shade = results["pictures"][frame].ravel()[floor].astype(int)
        # as few and as many hits as a shade may stand for
        most, least = (rays * (1 - (shade + off) / 255) for off in (-0.5, 0.5))
        bounds = (np.ceil(least - 1e-9), np.floor(most + 1e-9))
        if floor.any():
            yield from check_floor(inputs, at[floor], bounds, f"frame {frame}")
    shown, at = traced[-1]
    told = (shown == results["shown"][-1].ravel()) & (shown >= 0)
    if told.any():
        yield from check_points(inputs, at[told], shown[told], hits.ravel()[told])


def seen_from(inputs, frame):
    """Give which object each pixel shows, and where it is met."""
    width, height = inputs["width"], inputs["height"]
    view = inputs["views"][frame].astype(np.float64)
    y, x = np.mgrid[:height, :width].reshape(2, -1) + 0.5
    screen = np.stack([x - width / 2, height / 2 - y, np.full(x.size, 1 / inputs["pitch"])], axis=1)
    way = screen @ view[:, :3]
    eye = view[:, 3]
    with np.errstate(divide="ignore"):
        floor = np.where(way[:, 1] < 0, -eye[1] / way[:, 1], np.inf)
    distance = np.stack([*(met(eye, way, sphere) for sphere in inputs["spheres"]), floor])
    nearest = np.where(np.isfinite(distance).any(axis=0), distance.argmin(axis=0), -1)
    reach = np.where(nearest >= 0, distance.min(axis=0), 0)
    return nearest, eye + reach[:, None] * way


def met(from_, way, sphere):
    """Give how many times its length a ray goes to a sphere; infinite where it misses it."""
    offset = from_ - sphere[:3].astype(np.float64)
    a, b = (way**2).sum(-1), (offset * way).sum(-1)
    root = b * b - a * ((offset**2).sum(-1) - float(sphere[3]) ** 2)
    t = (-b - np.sqrt(np.maximum(root, 0))) / a
    return np.where((root > 0) & (t > 0), t, np.inf)


def check_floor(inputs, at, hits, name):
    """Compare with form factors: a sphere above the floor takes (r / d)^2 cos of what is seen.

    Where spheres hide each other they take less than the sum, and at least the largest.
    """
    radius = inputs["spheres"][:, 3].astype(np.float64)
    offset = inputs["spheres"][:, :3].astype(np.float64) - at[:, None]
    distance = np.linalg.norm(offset, axis=-1)
    factor = radius**2 / distance**2 * offset[..., 1] / distance
    rays = inputs["rays"] * inputs["passes"]
    low, high = factor.max(axis=1), np.minimum(factor.sum(axis=1), 1)
    likely = (binom.sf(hits[0] - 1, rays, high) > CHANCE) & (binom.cdf(hits[1], rays, low) > CHANCE)
    yield holds(f"{name}, hits of the floor", likely, "form factors of spheres")
    spread = SIGMAS * np.sqrt(rays * (high * (1 - high)).sum())
    enough = rays * low.sum() - spread < hits[1].sum()
    within = enough and hits[0].sum() < rays * high.sum() + spread
    yield holds(f"{name}, all hits of the floor", [within], "form factors of spheres")


def check_points(inputs, at, shown, hits):
    """Compare some points with other rays, drawn by NumPy and followed in float64.

    Each by itself, and many together, which tells small shares apart.
    """
    rng = np.random.default_rng(0)
    chosen = rng.permutation(len(at))[:SAMPLES]
    at, shown, hits = at[chosen], shown[chosen], hits[chosen]
    rays, against = inputs["rays"] * inputs["passes"], "rays of numpy.random in float64"
    stops = stopped(inputs["spheres"], at, shown, rng)
    share = (hits + stops + 1) / (rays + RAYS + 2)
    variance = share * (1 - share) * (1 / rays + 1 / RAYS)
    off = hits / rays - stops / RAYS
    # so many rays were stopped in all: how many of them were the device's is chance alone
    drawn = (rays + RAYS, hits + stops, rays)
    chance = np.minimum(hypergeom.cdf(hits, *drawn), hypergeom.sf(hits - 1, *drawn))
    yield holds("some points", chance > CHANCE, against)
    groups = shown == np.unique(shown)[:, None]
    yield holds("those of an object together", likely(off, variance, groups), against)
    near = [(one[3] ** 2 / ((at - one[:3]) ** 2).sum(axis=1)) for one in inputs["spheres"]]
    weights = np.minimum(near, 1) * (shown != np.arange(len(near))[:, None])
    yield holds("those near to a sphere together", likely(off, variance, weights), against)
    spread = (off**2 / variance)[(share > 0.05) & (share < 0.95)]
    if spread.size:
        # few points may be spread more: the variance of one's square is 2, and more with few rays
        most = max(0.3, SIGMAS * np.sqrt((2 + 20 / rays) / spread.size))
        yield holds("how they are spread", [abs(spread.mean() - 1) < most], against)


def likely(off, variance, weights):
    """Say for each row of weights whether so much in all may come by chance."""
    return np.abs(weights @ off) <= SIGMAS * np.sqrt(weights**2 @ variance)  # 0 where none counts


def stopped(spheres, at, shown, rng):
    """Count how many of RAYS rays from each point are stopped."""
    normal = normal_at(spheres, shown, at)
    # points evenly on a sphere around the normal's end: directions that follow the cosine
    way = normal[:, None] + unit(rng.standard_normal((len(at), RAYS, 3)))
    stops = way[..., 1] < 0
    for number, sphere in enumerate(spheres):
        hit = np.isfinite(met((at + LIFT * normal)[:, None], way, sphere))
        stops |= hit & (shown != number)[:, None]
    return stops.sum(axis=1)


def normal_at(spheres, shown, at):
    """Give the normals of what is shown at some points."""
    normal = np.zeros(at.shape)
    normal[:, 1] = 1
    on = shown < len(spheres)
    sphere = spheres[shown[on]].astype(np.float64)
    normal[on] = (at[on] - sphere[:, :3]) / sphere[:, 3:]
    return normal


def unit(vectors):
    """Shorten vectors to a length of 1."""
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
