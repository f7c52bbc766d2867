"""A region of a video project, rendered frame by frame: small kernels, one an effect."""

from math import ceil, cos, sin

import numpy as np
from scipy import ndimage

from warpmill.checks import close
from warpmill.samples.common.pictures import panning_video, photograph
from warpmill.samples.common.press_project import REGIONS, TITLES

MOST_RADIUS = 24  # as in video.cu
CURVE = 64
TILE = (32, 4)  # threads of a CTA
FADE = 0.4  # of a clip's frames: the next one begins to show
SOFT = 0.15  # width of a wipe's edge, of the picture's
KEY = (0.08, 0.35)  # how much green is before the screen, and how much is the screen
MOST_CHECKED = 16  # frames, evenly spread

RED, BLUE = 0.2126, 0.0722  # shares of brightness, BT.709
BRIGHT = np.array([RED, 1 - RED - BLUE, BLUE])


def make(*, region, width, height, frames, clips, period, seed):
    """Make clips as a camera's files have them, a speaker, titles and curves.

    `period` is how many frames a clip is shown, those in which it goes over into the next one
    included.
    """
    if not 1 <= region <= len(REGIONS):
        raise ValueError(f"region is from 1 to {len(REGIONS)}")
    if width % 2 or height % 2 or min(width, height) < 16:
        raise ValueError("width and height are even numbers from 16")
    if min(frames, clips, period) < 1:
        raise ValueError("frames, clips and period are at least 1")
    rng = np.random.default_rng([seed, region])
    shown = [panning_video(rng, width, height, 2 * period) for _ in range(clips)]
    return {
        "region": region,
        "frames": frames,
        "period": period,
        "size": (width, height),
        "clips": [np.stack([encoded(rgb_of(frame)) for frame in clip]) for clip in shown],
        "speaker": np.stack([encoded(one) for one in speaker(rng, width, height, period)]),
        "layers": [title(rng, width, height) for _ in range(TITLES)],
        "curves": np.stack([colour_curves(rng) for _ in range(clips)]),
    }


def rgb_of(frame):
    """Give red, green and blue from 0 to 1."""
    return frame[..., :3] / 255.0


def speaker(rng, width, height, frames):
    """Draw somebody before a green screen, who moves to and fro."""
    y, x = np.mgrid[:height, :width]
    coat = rgb_of(photograph(rng, width, height)) * [1.0, 0.7, 0.9]
    for number in range(frames):
        image = np.ones((height, width, 3)) * [0.15, 0.75, 0.2]
        image *= 0.9 + 0.1 * np.cos((x - width / 2) / width)[..., None]
        middle = width * (0.5 + 0.15 * np.sin(2 * np.pi * number / frames))
        body = np.hypot((x - middle) / 0.25 / width, (y - height) / 0.55 / height)
        head = np.hypot((x - middle) / 0.1 / width, (y - 0.35 * height) / 0.2 / height)
        image[(body < 1) | (head < 1)] = coat[(body < 1) | (head < 1)]
        soft = ndimage.gaussian_filter(image, (0.8, 0.8, 0))
        yield (soft + rng.normal(0, 0.01, image.shape)).clip(0, 1)


def title(rng, width, height):
    """Draw a title: lines of letters of five by seven dots, in a colour; the rest is clear."""
    dot = max(1, height // 40)
    high, wide = 2 * 9 * dot, width * 3 // 4
    letters = np.zeros((high, wide))
    for line in range(2):
        for at in range(0, wide - 6 * dot, 6 * dot):
            dots = rng.random((7, 5)) < (0.55 if rng.random() < 0.85 else 0.0)
            top = 9 * line * dot
            letters[top : top + 7 * dot, at : at + 5 * dot] = np.kron(dots, np.ones((dot, dot)))
    colour = np.append(rng.uniform(0.6, 1.0, 3), 1.0)
    layer = letters[..., None] * colour
    layer[..., :3] = colour[:3]
    return layer.astype(np.float32)


def colour_curves(rng):
    """Draw curves for red, green and blue that ascend, each with another bend."""
    at = np.linspace(0, 1, CURVE)
    bends = rng.uniform(-0.25, 0.25, (3, 1))
    return np.clip(at + bends * np.sin(np.pi * at) + 0.04 * np.sin(6 * at), 0, 1).astype(np.float32)


def run(device, modules, inputs):
    """Render the region: for each frame its kernels, a wait, and a copy to the host."""
    effects = DeviceEffects(device, modules, inputs)
    render, shown = REGIONS[inputs["region"] - 1], []
    for number in range(inputs["frames"]):
        effects.begin(number)
        shown.append(effects.encode(render(effects, number, inputs["period"])))
    return {"video": np.stack(shown)}


class Effects:
    """What both kinds of effects know: where in the project a frame is."""

    def __init__(self, inputs):
        """Take the clips."""
        self.inputs, self.number = inputs, 0
        self.width, self.height = inputs["size"]

    def begin(self, number):
        """Begin a frame."""
        self.number = number

    @staticmethod
    def moment(number, period):
        """Say which clip is shown, and how far it has gone over into the next one."""
        clip, at = divmod(number, period)
        return clip, (at / period - (1 - FADE)) / FADE

    def frame_of(self, clip):
        """Give the bytes of a clip's frame: a clip is shown to and fro."""
        clips = self.inputs["clips"]
        shown = clips[clip % len(clips)]
        return shown[self.number % len(shown)]

    def speaker_frame(self):
        """Give the bytes of the speaker's frame."""
        shown = self.inputs["speaker"]
        return shown[self.number % len(shown)]

    def curve(self, which):
        """Give a clip's curves."""
        return self.inputs["curves"][which % len(self.inputs["curves"])]

    def edge(self, share, angle):
        """Say where a wipe's edge is: direction, place and width."""
        along, down = cos(angle), sin(angle)
        reach = [along * x + down * y for x in (0, self.width) for y in (0, self.height)]
        soft = SOFT * self.width
        return along, down, min(reach) + share * (max(reach) - min(reach) + soft), soft

    def window(self, zoom, place):
        """Say which part of a picture a zoom shows: left, top, and pixels of it in one."""
        step = 1 / zoom
        return (1 - step) * place * self.width, (1 - step) * place * self.height, step

    def small_size(self, share):
        """Say how large a picture of a share of the frame's size is."""
        return max(4, round(share * self.width)), max(4, round(share * self.height))

    def place(self, shares):
        """Say where a layer lies."""
        return tuple(
            int(share * size) for share, size in zip(shares, (self.width, self.height), strict=True)
        )


class DeviceEffects(Effects):
    """Effects as kernels. A picture is an array with its width and height."""

    def __init__(self, device, modules, inputs):
        """Make what is needed for all frames; others are taken from a pool."""
        super().__init__(inputs)
        self.device, self.module = device, modules["video"]
        self.pool, self.used = [], 0
        self.layers = [
            (device.array(layer, name="title"), layer.shape[1], layer.shape[0])
            for layer in inputs["layers"]
        ]
        size = self.width * self.height * 3 // 2
        self.decoded = device.empty(size, np.uint8, name="frame from a file")
        self.encoded = device.empty(size, np.uint8, name="frame to a file")
        if modules.is_opencl:
            self.weights = device.empty(2 * MOST_RADIUS + 1, np.float32, name="weights")
            self.curve_table = device.empty(3 * CURVE, np.float32, name="curves")
            self.more = [self.weights], [self.curve_table]
        else:
            self.weights = self.module.symbol("weights", np.float32)
            self.curve_table = self.module.symbol("curve_table", np.float32)
            self.more = [], []

    def begin(self, number):
        """Begin a frame: all pictures of the pool are free again."""
        super().begin(number)
        self.used = 0

    def picture(self, width=None, height=None):
        """Give an array for a picture up to a frame's size."""
        if self.used == len(self.pool):
            shape = (self.height, self.width, 4)
            self.pool.append(self.device.empty(shape, np.float32, name=f"picture {self.used}"))
        self.used += 1
        return self.pool[self.used - 1], width or self.width, height or self.height

    def launch(self, kernel, size, args):
        """Launch a thread for each pixel."""
        grid = tuple(ceil(side / of) for side, of in zip(size, TILE, strict=True))
        self.device.launch(self.module[kernel], grid, TILE, args)

    def made(self, kernel, pictures, *numbers, more=()):
        """Make a picture of others of its size."""
        result = self.picture(*pictures[0][1:])
        arrays = [one[0] for one in (*pictures, result)]
        self.launch(kernel, result[1:], [*arrays, *result[1:], *numbers, *more])
        return result

    def decode(self, planes):
        """Copy a frame to the device, and decode it."""
        self.decoded.set(planes)
        result = self.picture()
        args = [self.decoded, result[0], *result[1:]]
        self.launch("yuv_to_rgb", result[1:], args)
        return result

    def encode(self, picture):
        """Encode a picture, wait, and copy it to the host."""
        array, width, height = picture
        self.launch("rgb_to_yuv", (width // 2, height // 2), [array, self.encoded, width, height])
        self.device.synchronize()
        return self.encoded.get()

    def clip(self, clip):
        """Decode a clip's frame."""
        return self.decode(self.frame_of(clip))

    def speaker(self):
        """Decode the speaker's frame."""
        return self.decode(self.speaker_frame())

    def layer(self, which):
        """Give a title."""
        return self.layers[which]

    def to_light(self, picture):
        """Turn values to light."""
        return self.made("to_light", [picture])

    def to_video(self, picture):
        """Turn light to values."""
        return self.made("to_video", [picture])

    def cut(self, picture, size, part):
        """Scale a part of a picture to a size."""
        result = self.picture(*size)
        args = [picture[0], result[0], *picture[1:], *size, *part]
        self.launch("scale", size, args)
        return result

    def scaled(self, picture, share):
        """Scale a picture to a share of its size."""
        return self.cut(picture, self.small_size(share), (0.0, 0.0, 1 / share))

    def zoomed(self, picture, zoom, place):
        """Show a part of a picture in full size."""
        return self.cut(picture, (self.width, self.height), self.window(zoom, place))

    def blurred(self, picture, deviation):
        """Blur a picture, along rows and columns."""
        weights = weights_of(deviation)
        self.weights[: len(weights)].set(weights.astype(np.float32))
        how = {"more": self.more[0]}
        rows = self.made("blur_rows", [picture], radius_of(deviation), **how)
        return self.made("blur_columns", [rows], radius_of(deviation), **how)

    def cross_fade(self, picture, other, share):
        """Fade to another picture."""
        return self.made("cross_fade", [picture, other], share)

    def wipe(self, picture, other, share, angle):
        """Wipe to another picture."""
        return self.made("wipe", [picture, other], *self.edge(share, angle))

    def curves(self, picture, which):
        """Put colours through curves."""
        self.curve_table.set(self.curve(which).ravel())
        return self.made("curves", [picture], more=self.more[1])

    def overlay(self, picture, layer, shares, opacity):
        """Lay another picture over one, which is changed."""
        args = [layer[0], picture[0], *layer[1:], *picture[1:], *self.place(shares), opacity]
        self.launch("overlay", layer[1:], args)
        return picture

    def key(self, front, back):
        """Show a picture where another one is green."""
        return self.made("chroma_key", [front, back], *KEY)

    def grade(self, picture, *numbers):
        """Change saturation, contrast and brightness."""
        return self.made("grade", [picture], *numbers)

    def sharpened(self, picture, amount, deviation):
        """Sharpen a picture."""
        return self.made("sharpen", [picture, self.blurred(picture, deviation)], amount)

    def fade(self, picture, colour, share):
        """Fade to a colour."""
        return self.made("fade", [picture], *colour, share)

    def waves(self, phase):
        """Make a background."""
        result = self.picture()
        self.launch("waves", result[1:], [*result, phase, *waves_of(self.width)])
        return result


def waves_of(width):
    """Say how long a background's waves are, across and down."""
    return 9 / width, 5 / width


def radius_of(deviation):
    """How far weights reach: three standard deviations."""
    return ceil(3 * deviation)


def weights_of(deviation):
    """Give the weights of a blur, whose sum is 1."""
    radius = radius_of(deviation)
    weights = np.exp(-0.5 * (np.arange(-radius, radius + 1) / deviation) ** 2)
    return weights / weights.sum()


class Reference(Effects):
    """The same effects by NumPy and SciPy, in double precision, on whole pictures."""

    def clip(self, clip):
        """Decode a clip's frame."""
        return decoded(self.frame_of(clip), self.width, self.height)

    def speaker(self):
        """Decode the speaker's frame."""
        return decoded(self.speaker_frame(), self.width, self.height)

    def layer(self, which):
        """Give a title."""
        return self.inputs["layers"][which].astype(np.float64)

    @staticmethod
    def to_light(picture):
        """Turn values to light: both parts of the function meet smoothly."""
        knee, lift = 0.018053968510807, 0.09929682680944
        colour = picture[..., :3]
        power = ((np.maximum(colour, 0) + lift) / (1 + lift)) ** (1 / 0.45)
        light = np.where(colour < 4.5 * knee, colour / 4.5, power)
        return np.dstack([light, picture[..., 3]])

    @staticmethod
    def to_video(picture):
        """Turn light to values."""
        knee, lift = 0.018053968510807, 0.09929682680944
        light = picture[..., :3]
        power = (1 + lift) * np.maximum(light, 0) ** 0.45 - lift
        return np.dstack([np.where(light < knee, 4.5 * light, power), picture[..., 3]])

    @staticmethod
    def cut(picture, size, part):
        """Interpolate with SciPy; beyond the edges is nothing."""
        left, top, step = part
        x, y = (
            start + (np.arange(count) + 0.5) * step - 0.5
            for start, count in zip((left, top), size, strict=True)
        )
        at = np.meshgrid(y, x, indexing="ij")
        how = {"order": 1, "mode": "grid-constant"}
        return np.dstack([ndimage.map_coordinates(picture[..., k], at, **how) for k in range(4)])

    def scaled(self, picture, share):
        """Scale a picture to a share of its size."""
        return self.cut(picture, self.small_size(share), (0.0, 0.0, 1 / share))

    def zoomed(self, picture, zoom, place):
        """Show a part of a picture in full size."""
        return self.cut(picture, (self.width, self.height), self.window(zoom, place))

    @staticmethod
    def blurred(picture, deviation):
        """Blur with SciPy."""
        how = {"sigma": deviation, "radius": radius_of(deviation), "mode": "nearest"}
        return ndimage.gaussian_filter(picture, axes=(0, 1), **how)

    @staticmethod
    def cross_fade(picture, other, share):
        """Fade to another picture."""
        return (1 - share) * picture + share * other

    def wipe(self, picture, other, share, angle):
        """Wipe to another picture, with a smooth step."""
        along, down, edge, soft = self.edge(share, angle)
        y, x = np.indices(picture.shape[:2])
        part = np.clip((edge - along * x - down * y) / soft, 0, 1)[..., None]
        return self.cross_fade(picture, other, part**2 * (3 - 2 * part))

    def curves(self, picture, which):
        """Put colours through curves with NumPy."""
        at, curves = np.linspace(0, 1, CURVE), self.curve(which).astype(np.float64)
        colours = [np.interp(picture[..., k], at, curves[k]) for k in range(3)]
        return np.dstack([*colours, picture[..., 3]])

    def overlay(self, picture, layer, shares, opacity):
        """Lay another picture over one, as far as it lies within."""
        left, top = self.place(shares)
        result = picture.copy()
        part = result[top : top + layer.shape[0], left : left + layer.shape[1]]
        layer = layer[: part.shape[0], : part.shape[1]]
        share = opacity * layer[..., 3:]
        solid = np.dstack([layer[..., :3], np.ones(layer.shape[:2])])
        part[...] = np.where(share > 0, (1 - share) * part + share * solid, part)
        return result

    @staticmethod
    def key(front, back):
        """Show a picture where another one is green; what green is left is taken away."""
        low, high = KEY
        green = front[..., 1] - np.maximum(front[..., 0], front[..., 2])
        share = np.clip((green - low) / (high - low), 0, 1)[..., None]
        less = front.copy()
        less[..., 1] -= np.maximum(green - low, 0)
        return (1 - share) * less + share * back

    @staticmethod
    def grade(picture, saturation, contrast, offset):
        """Change saturation, contrast and brightness, by a matrix."""
        matrix = saturation * np.eye(3) + (1 - saturation) * BRIGHT
        colour = (picture[..., :3] @ matrix.T - 0.5) * contrast + 0.5 + offset
        return np.dstack([colour.clip(0, 1), picture[..., 3]])

    def sharpened(self, picture, amount, deviation):
        """Sharpen a picture."""
        more = picture + amount * (picture - self.blurred(picture, deviation))
        return np.dstack([more[..., :3].clip(0, 1), picture[..., 3]])

    def fade(self, picture, colour, share):
        """Fade to a colour."""
        return self.cross_fade(picture, np.array([*colour, 1.0]), share)

    def waves(self, phase):
        """Make a background."""
        y, x = np.indices((self.height, self.width))
        across, down = waves_of(self.width)
        first = 0.5 + 0.5 * np.sin(phase + across * x + down * y)
        second = 0.5 + 0.5 * np.cos(2 * phase - down * x + across * y)
        parts = [0.1 + 0.3 * first, 0.15 + 0.2 * second, 0.4 + 0.5 * first * second]
        return np.dstack([*parts, np.ones_like(first)])


def planes_of(colour):
    """Give brightness and colour planes of red, green and blue, by BT.709, not rounded."""
    height, width = colour.shape[:2]
    bright = colour @ BRIGHT
    mean = colour.reshape(height // 2, 2, width // 2, 2, 3).mean(axis=(1, 3))
    u, v = (
        (mean[..., part] - mean @ BRIGHT) / (2 - 2 * share) for part, share in ((2, BLUE), (0, RED))
    )
    return np.concatenate([
        16 + 219 * bright.ravel(), 128 + 224 * u.ravel(), 128 + 224 * v.ravel()
    ])  # fmt: skip


def encoded(colour):
    """Give the bytes of a frame, planes one after the other."""
    return np.rint(planes_of(colour)).clip(0, 255).astype(np.uint8)


def decoded(planes, width, height):
    """Give the picture of a frame's bytes, by the inverse of the matrix that encodes."""
    pixels, half = width * height, (height // 2, width // 2)
    bright = (planes[:pixels].reshape(height, width) - 16.0) / 219
    u, v = (
        np.kron((part.reshape(half) - 128.0) / 224, np.ones((2, 2)))
        for part in np.split(planes[pixels:], 2)
    )
    blue, red = (np.eye(3)[part] for part in (2, 0))
    matrix = np.stack([
        BRIGHT, (blue - BRIGHT) / (2 - 2 * BLUE), (red - BRIGHT) / (2 - 2 * RED)
    ])  # fmt: skip
    colour = np.dstack([bright, u, v]) @ np.linalg.inv(matrix).T
    return np.dstack([colour.clip(0, 1), np.ones_like(bright)])


def check(inputs, results):
    """Render frames by NumPy and SciPy; what is rounded to a byte is up to a half off."""
    effects = Reference(inputs)
    render = REGIONS[inputs["region"] - 1]
    frames = inputs["frames"]
    numbers = np.unique(np.linspace(0, frames - 1, min(frames, MOST_CHECKED)).astype(int))
    wanted = []
    for number in numbers.tolist():
        effects.begin(number)
        picture = render(effects, number, inputs["period"])
        wanted.append(planes_of(picture[..., :3]).clip(0, 255))
    name = f"frames {numbers[0]} to {numbers[-1]}, {len(numbers)} of them"
    against = "NumPy and SciPy in float64"
    yield close(name, results["video"][numbers], np.stack(wanted), against, rtol=0, atol=0.505)
