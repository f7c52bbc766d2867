"""Addresses of a clone's accesses: GPGPU-MiniBench §4.1.4, §4.1.5 and step 2 of §4.2.4.

Arrays of the original become regions of arrays of the clone, one for each space, in the order of
their addresses and as far as accesses reach. An affine address keeps its function; any other one
keeps its transactions, its stride, and how much of what it touches was touched before.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from warpmill.analyzer.ir.operation import Operation
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.memory.rules import shared_wavefronts
from warpmill.analyzer.profile.behaviour.model import AccessBehaviour, AffineAddress, Triple
from warpmill.codegen.model import AffineSite, CloneArray, CloneLoop, ScatteredSite, Site, Texel
from warpmill.codegen.synthesis.loops import CloneSubject

GLOBAL_LIKE = (Space.GLOBAL, Space.GENERIC, Space.SURFACE)

_ALIGN = 256
_TEXEL_BYTES = 16
_LEAST_FOLD = 0.9
"""Reuse that is nearer to none is not reproduced."""
_FOLDS = 8
"""Shares of warps with bytes of their own are told apart so finely; sites that are alike share."""
_STEP_GRANULES = 3
"""Places from an access to the next one where several use the same bytes."""
_MOST_ARRAY_BYTES = 1 << 30
_MOST_CONST_BYTES = 64 << 10
"""Most constant bytes that ptxas lets a module declare."""
_MOST_ITERATIONS = 256


@dataclass
class Addressing:
    """Sites of a clone's accesses, by their place in the original, and its arrays."""

    arrays: tuple[CloneArray, ...]
    found: dict[Place, Site] = field(default_factory=dict)

    def site(self, block: int, place: int, space: Space, *, alone: bool) -> Site | None:
        """The site of an instruction in a space; None: it was never seen to go there.

        ``alone``: its other accesses, if it has any, are the same one by another space's name.
        """
        if (block, place, space) in self.found:
            return self.found[block, place, space]
        if not alone:
            return None
        return next((s for (b, i, _), s in self.found.items() if (b, i) == (block, place)), None)


def addressing(
    subject: CloneSubject,
    loops: tuple[CloneLoop, ...],
    factors: Sequence[float],
    represented: float,
) -> Addressing:
    """Each access that was executed its place in the clone's memory."""
    main = _main_accesses(subject.accesses)
    made = Addressing(())
    arrays: list[CloneArray] = []
    for (_, space, texel), own in sorted(_memories(subject, main).items(), key=_order):
        laid = _Laid(subject, loops, factors, represented, len(arrays), space, texel)
        arrays.append(CloneArray(space, laid.lay_out(own, made), texel))
    made.arrays = tuple(arrays)
    return made


_Memory = tuple[str, Space, Texel | None]


def _order(item: tuple[_Memory, object]) -> str:
    (name, _, texel), _ = item
    return f"{name} {texel}"


def _memories(
    subject: CloneSubject, main: dict[Place, AccessBehaviour]
) -> dict[_Memory, dict[Place, AccessBehaviour]]:
    """Part accesses by the memory that they go to: a space, or textures of one kind.

    Texels that no clone has a texture for are loaded from global memory.
    """
    found: dict[_Memory, dict[Place, AccessBehaviour]] = {}
    for place, access in main.items():
        block, number, space = place
        texel = None
        if space is Space.TEXTURE:
            instruction = subject.structure.kernel.blocks[block].instructions[number]
            texel = texel_of(instruction.operation, access.width_bytes)
            space = space if texel is not None else Space.GLOBAL
        found.setdefault((space.value, space, texel), {})[place] = access
    return found


def texel_of(operation: Operation, width_bytes: int) -> Texel | None:
    """The kind of texture that an instruction fetches from; None where clones have none."""
    parts = operation.opcode.split(".")
    dimensions = {"1d": 1, "2d": 2}.get(parts[1] if len(parts) > 1 else "", 0)
    is_float = bool(operation.types) and operation.types[0].is_float
    known = (width_bytes, is_float) in _TEXELS
    if operation.name != "tex" or not dimensions or len(operation.types) != 2 or not known:
        return None
    element, channels = _TEXELS[width_bytes, is_float]
    return Texel(dimensions, element, channels, width_bytes)


_TEXELS = {
    (1, False): ("u8", 1), (2, False): ("u16", 1), (4, False): ("u32", 1), (4, True): ("f32", 1),
    (8, False): ("u32", 2), (8, True): ("f32", 2), (16, False): ("u32", 4), (16, True): ("f32", 4),
}  # fmt: skip
"""Elements and channels of texels by bytes and whether a fetch gives floating-point numbers."""


def _main_accesses(accesses: tuple[AccessBehaviour, ...]) -> dict[Place, AccessBehaviour]:
    """Most frequent access of each instruction and space."""
    found: dict[Place, AccessBehaviour] = {}
    for access in accesses:
        place = (access.block, access.instruction, _space(access))
        if place not in found or access.executions > found[place].executions:
            found[place] = access
    return found


def _space(access: AccessBehaviour) -> Space:
    return Space.GLOBAL if access.space in GLOBAL_LIKE else access.space


@dataclass
class _AddressRegion:
    """Addresses of one region's accesses, by their affine form: begin and end."""

    least: int
    end: int
    place: int = 0


@dataclass
class _Laid:
    """Layout of the array of one space."""

    subject: CloneSubject
    loops: tuple[CloneLoop, ...]
    factors: Sequence[float]
    represented: float
    array: int
    space: Space
    texel: Texel | None

    def lay_out(self, own: dict[Place, AccessBehaviour], made: Addressing) -> int:
        """Make the sites; gives the bytes that the array needs."""
        most = self._most_bytes
        if self.space is Space.SHARED:
            return self._lay_out_shared(own, made, most)
        regions = self._regions(own)
        end = 0
        for _, address_region in sorted(regions.items()):
            address_region.place = end
            end += -(-(address_region.end - address_region.least) // _ALIGN) * _ALIGN
        affine_fits = end <= most
        end = end if affine_fits else 0
        scattered = {}
        for place, access in own.items():
            if access.affine is not None and affine_fits and self._is_aligned(access):
                address_region = regions[_region(access)]
                made.found[place] = self._in_units(
                    self._affine(access, access.affine, address_region)
                )
            else:
                scattered[place] = self._scattered(access, most)
        for together in sharing(own, scattered):
            begin = end
            for number, place in enumerate(together):
                step = number * _STEP_GRANULES * scattered[place].granule_bytes
                site = replace(scattered[place], offset=begin + step)
                if site.offset + site.reach > most:
                    site = replace(site, offset=0)
                made.found[place] = self._in_units(site)
                end = max(end, site.offset + site.reach + self._beyond)
            end = -(-end // _ALIGN) * _ALIGN
        return max(end, 16)

    def _in_units(self, site: AffineSite | ScatteredSite) -> Site:
        """A site in texels where it is of a texture; else in bytes, as it is."""
        if self.texel is None:
            return site
        size = self.texel.size_bytes
        if isinstance(site, ScatteredSite):
            return replace(
                site,
                offset=site.offset // size,
                granule_bytes=max(1, site.granule_bytes // size),
                lane_stride=site.lane_stride // size,
            )
        x, y, z = (c // size for c in site.threads)
        a, b, c = (d // size for d in site.ctas)
        return replace(
            site,
            offset=site.offset // size,
            threads=(x, y, z),
            ctas=(a, b, c),
            loops=tuple((header, step // size) for header, step in site.loops),
            warp_step=site.warp_step // size,
        )

    def _lay_out_shared(
        self, own: dict[Place, AccessBehaviour], made: Addressing, most: int
    ) -> int:
        """Leave shared memory as it is; what would reach beyond it is moved inside."""
        for place, access in own.items():
            made.found[place] = self._scattered(access, most)
            if access.affine is None or not self._is_aligned(access):
                continue
            least, end = self._extent(access.affine)
            end += max(1, access.width_bytes)
            moved = max(0, -least) or min(0, most - end)
            fits = least + moved >= 0 and end + moved <= most
            if fits and moved % max(1, access.width_bytes) == 0:
                address_region = _AddressRegion(0, most, moved)
                made.found[place] = self._affine(access, access.affine, address_region)
        return most

    @property
    def _most_bytes(self) -> int:
        if self.space is Space.CONST:
            return _MOST_CONST_BYTES
        if self.space is not Space.SHARED:
            return _MOST_ARRAY_BYTES
        dynamic = self.subject.profile.dynamic_shared_bytes
        return max(16, dynamic + self.subject.static_shared_bytes)

    @property
    def _beyond(self) -> int:
        """Bytes behind the last place, for what is loaded as a vector there. Constants are not."""
        return 0 if self.space is Space.CONST else _TEXEL_BYTES

    def _is_aligned(self, access: AccessBehaviour) -> bool:
        """Whether an affine form gives only addresses that the access may have.

        Texels are loaded as vectors.
        """
        affine = access.affine
        if affine is None:
            return False
        texels = access.space in (Space.TEXTURE, Space.SURFACE)
        align = (
            _TEXEL_BYTES
            if texels and self.texel is None
            else max(1, access.width_bytes & -access.width_bytes)
        )
        steps = (*affine.threads, *affine.ctas, *(step for _, step in affine.loops))
        return all(step % align == 0 for step in (*steps, affine.offset))

    def _regions(self, own: dict[Place, AccessBehaviour]) -> dict[int, _AddressRegion]:
        found: dict[int, _AddressRegion] = {}
        for access in own.values():
            if access.affine is None:
                continue
            least, most = self._extent(access.affine)
            address_region = found.setdefault(_region(access), _AddressRegion(least, most))
            address_region.least = min(address_region.least, least)
            address_region.end = max(
                address_region.end, most + max(self._beyond, access.width_bytes)
            )
        for address_region in found.values():
            align = 16 if self.space is Space.SHARED else _ALIGN
            address_region.least = address_region.least // align * align
        return found

    def _extent(self, affine: AffineAddress) -> tuple[int, int]:
        """The lowest and the highest address that an affine form gives in the clone."""
        counts = {loop.header: loop.most + 1 for loop in self.loops if loop.most > 1}
        reach = [
            c * (n - 1)
            for c, n in (
                *zip(affine.threads, self.subject.block, strict=True),
                *zip(affine.ctas, self.subject.most_grid, strict=True),
                *((step, counts.get(header, 1)) for header, step in affine.loops),
            )
        ]
        return (
            affine.offset + sum(min(0, r) for r in reach),
            affine.offset + sum(max(0, r) for r in reach),
        )

    def _affine(
        self, access: AccessBehaviour, affine: AffineAddress, address_region: _AddressRegion
    ) -> AffineSite:
        iterated = {loop.header for loop in self.loops if loop.most > 1}
        looped = tuple((h, step) for h, step in affine.loops if h in iterated and step)
        step = _warp_step(self.subject, affine)
        fold = 1.0
        if self.space in (Space.GLOBAL, Space.TEXTURE) and step:
            fold = self._fold(access, affine)
        return AffineSite(
            self.array,
            address_region.place + affine.offset - address_region.least,
            _used(affine.threads, self.subject.block),
            _used(affine.ctas, self.subject.most_grid),
            looped,
            fold,
            step if fold < 1.0 else 0,
        )

    def _fold(self, access: AccessBehaviour, affine: AffineAddress) -> float:
        """The share of warps that have bytes of their own, so that reuse is the original's.

        What a warp used again in later iterations, neighbouring warps of the clone use again.
        """
        warps = self.subject.warps_per_cta
        own = self._of_warp(affine)
        fold = access.of_warp / own
        if warps == 1 or fold > _LEAST_FOLD:
            return 1.0
        return max(round(fold * _FOLDS) / _FOLDS, 1.0 / warps)

    def _of_warp(self, affine: AffineAddress) -> float:
        """The share of sectors that a warp of the clone uses for the first time."""
        width, height, _ = self.subject.block
        thread = np.arange(min(self.subject.profile.warp_size, self.subject.threads_per_cta))
        axes = (thread % width, thread // width % height, thread // (width * height))
        address = np.full(len(thread), affine.offset)
        for coefficient, axis in zip(affine.threads, axes, strict=True):
            address += coefficient * axis
        counts = {loop.header: loop.iterations for loop in self.loops}
        sectors = np.unique(address // SECTOR_BYTES) * SECTOR_BYTES
        for header, step in affine.loops:
            moved = step * np.arange(min(_MOST_ITERATIONS, counts.get(header, 1)))
            sectors = (sectors[..., None] + moved).reshape(-1)
        return len(np.unique(sectors // SECTOR_BYTES)) / len(sectors)

    def _scattered(self, access: AccessBehaviour, most: int) -> ScatteredSite:
        """A site of drawn places, in so many bytes at most, from 0 on."""
        scatter = Scatter(self.subject, self.represented, self.array)
        width = max(1, access.width_bytes)
        if access.space in (Space.TEXTURE, Space.SURFACE) and self.texel is None:
            width = _TEXEL_BYTES
        if self.space is Space.SHARED:
            return scatter.in_shared(access, width, most)
        return scatter.site(access, width, most)


def _region(access: AccessBehaviour) -> int:
    return -1 if access.region is None else access.region


def _used(coefficients: Triple, extents: Triple) -> Triple:
    """Leave out what multiplies an index that is always 0."""
    x, y, z = (c if n > 1 else 0 for c, n in zip(coefficients, extents, strict=True))
    return (x, y, z)


def _warp_step(subject: CloneSubject, affine: AffineAddress) -> int:
    """The bytes from a warp of a CTA to the next one."""
    width, height, _ = subject.block
    thread = subject.profile.warp_size
    x, y, z = thread % width, thread // width % height, thread // (width * height)
    return sum(c * n for c, n in zip(affine.threads, (x, y, z), strict=True))


# Sites of accesses whose addresses are no affine function: GPGPU-MiniBench §4.1.5, §4.2.4.
#
# A clone draws their places: as many transactions and the same stride over lanes as in the
# original, and as much of what they touch touched before.

Place = tuple[int, int, Space]
"""An instruction, by its block and its place in that, and the space that it accesses."""

SECTOR_BYTES = 32

_MOST_WALKING = 0.5
"""The share of new sectors below which a warp stays where it was, mostly."""
_BY_LANE = 0.4
"""Sectors a lane from which on lanes choose their places by themselves."""


@dataclass(frozen=True)
class Scatter:
    """Draws places in one array of a clone: in its first ``most`` bytes.

    ``represented`` are the executions in the original for one in the clone.
    """

    subject: CloneSubject
    represented: float
    array: int

    def in_shared(self, access: AccessBehaviour, width: int, most: int) -> ScatteredSite:
        """Keep bank conflicts, in shared memory."""
        stride = _bank_stride(access, width, self.subject.profile.warp_size, most)
        return ScatteredSite(self.array, 0, 1, 1, most, stride, by_lane=False)

    def site(self, access: AccessBehaviour, width: int, most: int) -> ScatteredSite:
        """Keep transactions, stride and reuse, of accesses of ``width`` bytes."""
        sectors, lanes = max(1.0, access.sectors), max(1.0, access.lanes)
        by_lane = access.lane_stride is None and sectors >= max(2.0, _BY_LANE * lanes)
        stride = 0
        if access.lane_stride is not None:
            stride = -(-abs(access.lane_stride) // width) * width
        elif not by_lane and sectors > 1.5:
            stride = max(1, round(sectors * SECTOR_BYTES / lanes / width)) * width
        span = width if by_lane else stride * (self.subject.profile.warp_size - 1) + width
        granule = -(-span // SECTOR_BYTES) * SECTOR_BYTES
        least = _spread(lanes, sectors) if by_lane else 1.0
        a_granule = 1 if by_lane else granule // SECTOR_BYTES
        whole, of_cta = self._granules(access, sectors, a_granule, least)
        granules = _power(of_cta)
        windows = _power(max(1.0, whole / granules))
        while windows * granules * granule > most and windows > 1:
            windows //= 2
        while windows * granules * granule > most and granules > 1:
            granules //= 2
        fresh = round(access.of_warp, 2) if access.of_warp < _MOST_WALKING else 1.0
        return ScatteredSite(
            self.array, 0, windows, granules, granule, stride, by_lane, max(fresh, 0.01)
        )

    def _granules(
        self, access: AccessBehaviour, sectors: float, a_granule: int, least: float
    ) -> tuple[float, float]:
        """How many places the clone uses, in the grid and in a CTA, there ``least``."""
        subject = self.subject
        executed = subject.executions[access.block] / self.represented
        draws = max(1.0, executed * subject.warps_per_cta * sectors / a_granule)
        fresh = access.of_warp * access.of_cta
        of_cta = _places(draws, fresh)
        whole = _places(draws * subject.ctas, fresh * access.of_grid)
        if of_cta < least:  # as many CTAs share them as before
            whole, of_cta = whole * least / of_cta, least
        if access.region_bytes:
            there = max(1.0, access.region_bytes / (SECTOR_BYTES * a_granule))
            whole, of_cta = min(whole, there), min(of_cta, there)
        return max(whole, of_cta), of_cta


def sharing(
    own: Mapping[Place, AccessBehaviour], sites: Mapping[Place, ScatteredSite]
) -> list[list[Place]]:
    """Group accesses that share bytes: what each uses of an allocation is more than that has.

    In the original, or in the clone, where an access may reach further than it did.
    """
    of_region: dict[int, list[Place]] = {}
    for place in sites:
        region = own[place].region
        if region is not None:
            of_region.setdefault(region, []).append(place)
    found = []
    for places in of_region.values():
        there = max(own[place].region_bytes for place in places)
        used = sum(own[place].footprint_sectors * SECTOR_BYTES for place in places)
        reached = sum(sites[place].reach for place in places)
        crowded = max(used, reached) > there > 0
        found += [places] if crowded else [[place] for place in places]
    return found + [[place] for place in sites if own[place].region is None]


def _places(draws: float, fresh: float) -> float:
    """Number of places of which so many draws find the given share for the first time."""
    if fresh >= 0.97:
        return 16.0 * draws
    low, high = 1e-3, 64.0  # places over draws
    for _ in range(40):
        middle = math.sqrt(low * high)
        if middle * (1.0 - math.exp(-1.0 / middle)) < fresh:
            low = middle
        else:
            high = middle
    return max(1.0, low * draws)


def _spread(lanes: float, sectors: float) -> float:
    """Number of places of which so many lanes choose so many different ones on average."""
    places = max(1.0, sectors)
    while places < 1 << 20 and places * (1.0 - (1.0 - 1.0 / places) ** lanes) < 0.97 * sectors:
        places *= 1.25
    return places


def _power(count: float) -> int:
    """Round to a power of two."""
    return 1 << max(0, round(math.log2(max(1.0, count))))


def _bank_stride(access: AccessBehaviour, width: int, warp_size: int, most: int) -> int:
    """The stride over lanes that comes nearest to the bank conflicts of the original."""
    lanes = np.arange(max(1, round(min(access.lanes, warp_size))))
    strides = [0, *(width << power for power in range(8))]
    fitting = [s for s in strides if s * (warp_size - 1) + width <= most]
    return min(fitting, key=lambda s: (abs(shared_wavefronts(lanes * s, width) - access.passes), s))
