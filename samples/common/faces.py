"""Faces, patches that are none, and videos of crowds, drawn from a seed in shades of grey."""

from dataclasses import dataclass

import numpy as np

from warpmill.samples.common.pictures import grey, photograph

MIDDLE = 0.5
LARGEST = 3.2  # a face's side, in windows of the detector


@dataclass(frozen=True)
class Crowd:
    """A video, of shape (frames, height, width), and its faces: frame, x, y of middle, side."""

    video: np.ndarray
    faces: np.ndarray


def draw_faces(rng, count, side):
    """Draw faces as a detector's window shows them, of shape (count, side, side).

    Eyes and brows are dark, nose and cheeks bright, lips dark; light comes from anywhere. Places,
    sizes and shades differ from face to face.
    """
    at = (np.arange(side) + 0.5) / side
    turn = rng.uniform(-0.15, 0.15, (count, 1, 1))
    size = rng.uniform(0.85, 1.15, (count, 1, 1))
    x = (at[None, None, :] - MIDDLE - rng.uniform(-0.07, 0.07, (count, 1, 1))) / size
    y = (at[None, :, None] - MIDDLE - rng.uniform(-0.07, 0.07, (count, 1, 1))) / size
    x, y = x * np.cos(turn) - y * np.sin(turn), x * np.sin(turn) + y * np.cos(turn)

    def spot(left, top, wide, high, depth):
        """A dark spot with a soft edge, a bright one with a negative depth."""
        shade = depth * rng.uniform(0.6, 1.4, (count, 1, 1))
        return -shade * np.exp(-((((x - left) / wide) ** 2 + ((y - top) / high) ** 2) ** 2))

    face = rng.uniform(100, 190, (count, 1, 1)) + np.zeros((count, side, side))
    for sign in (-1, 1):
        face += spot(sign * 0.19, -0.11, 0.11, 0.06, 62)  # eye
        face += spot(sign * 0.20, -0.23, 0.13, 0.04, 34)  # brow
        face += spot(sign * 0.22, 0.10, 0.12, 0.12, -22)  # cheek
    face += spot(0.0, 0.0, 0.05, 0.18, -30)  # nose
    face += spot(0.0, 0.14, 0.08, 0.03, 30)  # below the nose
    face += spot(0.0, 0.27, 0.17, 0.05, 48)  # lips
    outside = (x / 0.47) ** 2 + (y / 0.56) ** 2 > 1
    face = np.where(outside, face * rng.uniform(0.25, 0.8, (count, 1, 1)), face)
    from_side = rng.uniform(-0.35, 0.35, (count, 1, 1)) * x
    face *= 1 + from_side + rng.uniform(-0.3, 0.3, (count, 1, 1)) * y
    face = MIDDLE * 255 + (face - MIDDLE * 255) * rng.uniform(0.6, 1.1, (count, 1, 1))
    return (face + rng.normal(0, 4, face.shape)).clip(0, 255)


def draw_others(rng, count, side):
    """Draw patches that are no faces: of photographs, and faces out of place or upside down."""
    return np.concatenate([
        _pieces(rng, count - count // 2, side),
        _near_faces(rng, count // 2, side),
    ])  # fmt: skip


def _pieces(rng, count, side):
    """Cut patches out of a photograph, at several scales."""
    scene = grey(photograph(rng, 12 * side, 9 * side))
    patches = []
    for number in range(count):
        scale = (1, 2, 3)[number % 3]
        seen = scene[::scale, ::scale]
        top, left = (rng.integers(0, size - side + 1) for size in seen.shape)
        patches.append(seen[top : top + side, left : left + side])
    return np.array(patches, np.float64).reshape(count, side, side)


def _near_faces(rng, count, side):
    """Shift faces by a quarter to a half, or turn them upside down."""
    faces = draw_faces(rng, count, side)
    for number in range(count):
        if number % 4 == 0:
            faces[number] = faces[number, ::-1]
            continue
        away = rng.integers(side // 4, side // 2, 2) * rng.choice([-1, 1], 2)
        if number % 2:
            away[rng.integers(2)] //= 4
        faces[number] = np.roll(faces[number], away, axis=(0, 1))
    return faces


def draw_crowd(rng, width, height, frames, most, side):
    """Draw a video in which faces come, drift and go, up to ``most`` at a time."""
    scene = grey(photograph(rng, width, height))
    scene[: height // 2, : width // 4] = 12  # a dark entrance
    video, found = np.repeat(scene[None], frames, axis=0), []
    for first, last in _visits(rng, frames, most):
        placed = _place(rng, video, found, (first, last), side)
        found.extend(placed)
    noise = rng.normal(0, 3, (8, height, width))
    for number in range(frames):
        video[number] = (video[number] + noise[number % 8]).clip(0, 255)
    return Crowd(video, np.array(sorted(found), np.float64).reshape(-1, 4))


def _visits(rng, frames, most):
    """Say from when to when each face is there: more of them in the middle of each third."""
    visits = []
    for _ in range(most):
        number = int(rng.integers(0, max(1, frames // 3)))
        while number < frames:
            length = int(rng.integers(max(1, frames // 8), max(2, frames // 3)))
            visits.append((number, min(frames, number + length)))
            number += length + int(rng.integers(1, max(2, frames // 3)))
    return visits


def _place(rng, video, found, visit, side):
    """Draw one face into the frames of its visit, where there is room; where it is in each."""
    _, height, width = video.shape
    numbers = np.arange(*visit)
    for _ in range(20):
        largest = min(LARGEST * side, 0.7 * min(width, height))
        size = int(rng.uniform(side, max(side + 1, largest)))
        start = rng.uniform(size / 2, (width - size / 2, height - size / 2))
        end = (start + rng.uniform(-1, 1, 2) * size).clip(
            size / 2, (width - size / 2, height - size / 2)
        )
        shares = (numbers - visit[0]) / max(1, len(numbers) - 1)
        middles = start + shares[:, None] * (end - start)
        if _is_free(found, numbers, middles, size):
            break
    else:
        return []
    patch = draw_faces(rng, 1, size)[0]
    corners = np.round(middles - size / 2).astype(int)
    for number, (left, top) in zip(numbers, corners, strict=True):
        video[number, top : top + size, left : left + size] = patch
    return [
        (number, left + size / 2, top + size / 2, size)
        for number, (left, top) in zip(numbers.tolist(), corners.tolist(), strict=True)
    ]


def _is_free(found, numbers, middles, size):
    for number, x, y, other in found:
        if numbers[0] <= number <= numbers[-1]:
            apart = np.abs(middles[int(number) - numbers[0]] - (x, y)).max()
            if apart < (size + other) / 2:
                return False
    return True
