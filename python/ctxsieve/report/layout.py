"""Where the files of a graph are drawn: groups apart, and inside a group what depends on each other close together.

The forces are those of Fruchterman and Reingold (1991), started from a sunflower spiral instead of random places, so
that the same graph gives the same picture.
"""

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ctxsieve.values import dataclass

__all__ = ["Circle", "Layout", "lay_out"]

Points = npt.NDArray[np.float64]

_GOLDEN_ANGLE = math.pi * (3.0 - math.sqrt(5.0))
# Between the centres of neighbours, in units of the page.
_SPACING = 26.0
_MARGIN = 38.0
_INNER_STEPS = 90
_OUTER_STEPS = 220
_SEPARATION_STEPS = 400
# Above so many members pairs are too many, and the spiral with the hubs in its middle has to do.
_MOST_MEMBERS = 700


@dataclass(frozen=True, slots=True)
class Circle:
    """The place of a group."""

    x: float
    y: float
    radius: float


@dataclass(frozen=True, slots=True)
class Layout:
    """Places of the nodes, shape (n, 2), and of the groups."""

    points: Points
    circles: tuple[Circle, ...]


def lay_out(groups: Sequence[Sequence[int]], sources: Sequence[int], targets: Sequence[int], n_nodes: int) -> Layout:
    """Return places for nodes that each stand in exactly one group."""
    group_of = np.zeros(n_nodes, dtype=np.int64)
    local_of = np.zeros(n_nodes, dtype=np.int64)
    for number, members in enumerate(groups):
        group_of[list(members)] = number
        local_of[list(members)] = np.arange(len(members))
    edges = np.column_stack((np.asarray(sources, np.int64), np.asarray(targets, np.int64))).reshape(-1, 2)
    inside = group_of[edges[:, 0]] == group_of[edges[:, 1]]
    shapes = []
    for number, members in enumerate(groups):
        of_group = edges[inside & (group_of[edges[:, 0]] == number)]
        shapes.append(_place_members(len(members), local_of[of_group]))
    radii = np.array([_radius(shape) for shape in shapes]).reshape(-1)
    crossing = group_of[edges[~inside]]
    centres = _place_groups(radii, crossing)
    points = np.zeros((n_nodes, 2))
    for number, members in enumerate(groups):
        points[list(members)] = shapes[number] + centres[number]
    circles = tuple(
        Circle(float(centre[0]), float(centre[1]), float(radius)) for centre, radius in zip(centres, radii, strict=True)
    )
    return Layout(points, circles)


def _radius(shape: Points) -> float:
    return float(np.sqrt((shape**2).sum(axis=1)).max(initial=0.0)) + _MARGIN


def _spiral(count: int, spacing: float) -> Points:
    steps = np.arange(count)
    distances = 0.62 * spacing * np.sqrt(steps + 0.5)
    angles = steps * _GOLDEN_ANGLE
    return np.column_stack((distances * np.cos(angles), distances * np.sin(angles)))


def _place_members(count: int, edges: npt.NDArray[np.int64]) -> Points:
    """Return places of the members of one group around 0."""
    degrees = np.bincount(edges.reshape(-1), minlength=count)
    points = np.zeros((count, 2))
    points[np.argsort(-degrees, kind="stable")] = _spiral(count, _SPACING)
    if 2 < count <= _MOST_MEMBERS and len(edges):
        points = _fill_disc(_relax(points, edges))
        points = _push_apart(points, np.full(count, 0.44 * _SPACING), 40)
    centred: Points = points - (points.max(axis=0) + points.min(axis=0)) / 2
    return centred


def _relax(points: Points, edges: npt.NDArray[np.int64]) -> Points:
    """Move linked points together and all points apart, ever less."""
    ideal = 1.1 * _SPACING
    heat = 0.6 * ideal * math.sqrt(len(points)) / 4
    for step in range(_INNER_STEPS):
        moves = _repulsion(points, ideal) - 0.06 * points
        spans = points[edges[:, 1]] - points[edges[:, 0]]
        pull = spans * (np.sqrt((spans**2).sum(axis=1)) / ideal)[:, None] * 0.35
        np.add.at(moves, edges[:, 0], pull)
        np.add.at(moves, edges[:, 1], -pull)
        lengths = np.maximum(np.sqrt((moves**2).sum(axis=1)), 1e-9)
        limit = heat * (1.0 - step / _INNER_STEPS)
        points = points + moves * (np.minimum(lengths, limit) / lengths)[:, None]
    return points


def _fill_disc(points: Points) -> Points:
    """Keep the direction of each point and the order of their distances, but fill a disc evenly."""
    centred = points - np.median(points, axis=0)
    distances = np.sqrt((centred**2).sum(axis=1))
    ranks = np.empty(len(points))
    ranks[np.argsort(distances, kind="stable")] = np.arange(len(points))
    wanted = 0.62 * _SPACING * np.sqrt(ranks + 0.5)
    filled: Points = centred * (wanted / np.maximum(distances, 1e-9))[:, None]
    return filled


def _repulsion(points: Points, ideal: float) -> Points:
    spans = points[:, None, :] - points[None, :, :]
    squares = np.maximum((spans**2).sum(axis=2), 1.0)
    moves: Points = (spans * (ideal**2 / squares)[:, :, None]).sum(axis=1)
    return moves


def _place_groups(radii: Points, crossing: npt.NDArray[np.int64]) -> Points:
    """Return the centres of circles that do not overlap, linked ones near each other; the largest starts inside."""
    count = len(radii)
    if not count:
        return np.zeros((0, 2))
    centres = np.zeros((count, 2))
    centres[np.argsort(-radii, kind="stable")] = _spiral(count, 2.2 * float(radii.mean()))
    links = np.zeros((count, count))
    np.add.at(links, (crossing[:, 0], crossing[:, 1]), 1.0)
    links = np.log1p(links + links.T)
    if links.max() > 0:
        links /= links.max()
    for step in range(_OUTER_STEPS):
        strength = 0.08 * (1.0 - step / _OUTER_STEPS)
        spans = centres[None, :, :] - centres[:, None, :]
        # A wide page is filled better by a wide picture.
        gravity = centres * np.array([0.3, 2.4])
        centres = centres + strength * ((links[:, :, None] * spans).sum(axis=1) - 0.8 * gravity)
        centres = _push_apart(centres, radii, 4)
    return _push_apart(centres, radii, _SEPARATION_STEPS)


def _push_apart(centres: Points, radii: Points, steps: int) -> Points:
    """Move circles until none overlap, or for so many steps."""
    wanted = radii[:, None] + radii[None, :]
    numbers = np.arange(len(radii))
    side = 1e-6 * np.sign(np.subtract.outer(numbers, numbers))
    for _ in range(steps):
        spans = centres[:, None, :] - centres[None, :, :]
        distances = np.sqrt((spans**2).sum(axis=2))
        np.fill_diagonal(distances, np.inf)
        overlap = np.maximum(wanted - distances, 0.0)
        if not (overlap > 0.5).any():
            break
        # Circles in the same place part along the first axis.
        spans[:, :, 0] += np.where(distances < 1e-6, side, 0.0)
        distances = np.maximum(distances, 1e-6)
        centres = centres + 0.3 * ((overlap / distances)[:, :, None] * spans).sum(axis=1)
    return centres
