"""Seven regions of a video project, as an editor lays them out: which effects when.

A region is a function of the effects, the frame's number and how many frames a clip is shown; it
gives the picture. The effects are a device's kernels, or a reference that knows the same words.
"""

from math import cos, pi, sin

TITLES = 3
"""Layers that are drawn once: two titles, and a small picture with a frame around it."""


def cross_fades(fx, number, period):
    """Region 1: clips, with fades from each to the next, in amounts of light."""
    clip, share = fx.moment(number, period)
    now = fx.clip(clip)
    if share <= 0:
        return now
    light = fx.cross_fade(fx.to_light(now), fx.to_light(fx.clip(clip + 1)), share)
    return fx.to_video(light)


def blurred_fades(fx, number, period):
    """Region 2: both clips are out of focus where one goes over into the other."""
    clip, share = fx.moment(number, period)
    now = fx.clip(clip)
    if share <= 0:
        return now
    deviation = 0.4 + 6.0 * sin(pi * share)
    soft = fx.blurred(now, deviation)
    return fx.cross_fade(soft, fx.blurred(fx.clip(clip + 1), deviation), share)


def wipes(fx, number, period):
    """Region 3: slow zooms into clips, and wipes in changing directions."""
    clip, share = fx.moment(number, period)
    zoom = 1.0 + 0.4 * (number % period) / period
    now = fx.zoomed(fx.clip(clip), zoom, 0.5 + 0.3 * sin(clip))
    if share <= 0:
        return now
    return fx.wipe(now, fx.zoomed(fx.clip(clip + 1), 1.0, 0.5), share, 0.8 * clip)


def small_pictures(fx, number, period):
    """Region 4: small pictures of other clips grow and shrink over a dim one."""
    clip, share = fx.moment(number, period)
    frame = fx.grade(fx.clip(clip), 0.5, 0.8, -0.1)
    shown = 1 + (number // period) % 3
    for other in range(shown):
        size = 0.2 + 0.25 * (0.5 - 0.5 * cos(2 * pi * (number + 9 * other) / period))
        small = fx.scaled(fx.clip(clip + 1 + other), size)
        frame = fx.overlay(frame, small, (0.05 + 0.3 * other, 0.1 + 0.2 * other), 0.9)
    return fx.fade(frame, (0.0, 0.0, 0.0), share) if share > 0 else frame


def titles(fx, number, period):
    """Region 5: titles with a glow over a background that is computed; nothing is decoded."""
    clip, share = fx.moment(number, period)
    frame = fx.waves(number / 20)
    layer = fx.layer(clip % TITLES)
    glow = 0.5 + 2.5 * (number % period) / period
    frame = fx.overlay(frame, fx.blurred(layer, glow), (0.1, 0.3), 0.8)
    frame = fx.overlay(frame, layer, (0.1, 0.3), 1.0)
    return fx.fade(frame, (1.0, 1.0, 1.0), share) if share > 0 else frame


def grading(fx, number, period):
    """Region 6: clips with colours, contrast and sharpness of their own."""
    clip, share = fx.moment(number, period)
    now = fx.sharpened(fx.clip(clip), 0.6, 0.5 + (clip % 4) / 2)
    now = fx.curves(fx.grade(now, 0.6 + 0.3 * (clip % 3), 1.1, 0.02), clip)
    if share <= 0:
        return now
    return fx.cross_fade(now, fx.curves(fx.clip(clip + 1), clip + 1), share)


def everything(fx, number, period):
    """Region 7: a speaker before a green screen, titles, small pictures, all kinds of fades."""
    clip, share = fx.moment(number, period)
    behind = fx.waves(number / 30) if clip % 2 else fx.blurred(fx.clip(clip), 3.0)
    frame = fx.key(fx.speaker(), behind)
    frame = fx.curves(fx.grade(frame, 1.2, 1.05, 0.0), clip)
    if number % period < period // 2:
        frame = fx.overlay(frame, fx.layer(clip % TITLES), (0.1, 0.6), 0.9)
    if share <= 0:
        return frame
    after = fx.sharpened(fx.clip(clip + 1), 0.4, 1.0)
    if clip % 2:
        frame = fx.wipe(frame, after, share, 0.5 * clip)
    else:
        light = fx.cross_fade(fx.to_light(frame), fx.to_light(after), share)
        frame = fx.to_video(light)
    small = fx.scaled(fx.clip(clip + 2), 0.15 + 0.3 * share)
    return fx.fade(fx.overlay(frame, small, (0.6, 0.1), 1.0), (0.0, 0.0, 0.0), 0.4 * share)


REGIONS = (
    cross_fades, blurred_fades, wipes, small_pictures, titles, grading, everything,
)  # fmt: skip
