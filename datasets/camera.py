"""A camera over a table: real perspective and lens distortion, then everything a sensor and a codec do to a picture.

Convention: the table is the plane z = 0 in millimetres, x to the right, y down, seen from above; pixels have their
origin at the top left.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

__all__ = ["Camera", "Sensor", "distort_image", "metered", "random_camera", "random_sensor"]

Random = np.random.Generator
Points = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Camera:
    """A pinhole camera with one radial coefficient.

    ``matrix`` is the (3, 3) homography from table millimetres to undistorted pixels, ``size`` (width, height);
    ``distortion`` moves a point at the corner of the picture by that share of its distance from the middle.
    """

    matrix: npt.NDArray[np.float64]
    size: tuple[int, int]
    distortion: float

    def project(self, points: Points) -> Points:
        """Map (n, 2) table millimetres to (n, 2) pixels of the distorted picture."""
        return self.distort(self.project_straight(points))

    def project_straight(self, points: Points) -> Points:
        """Map (n, 2) table millimetres to (n, 2) pixels before distortion."""
        homogeneous = np.column_stack([points, np.ones(len(points))]) @ self.matrix.T
        return np.asarray(homogeneous[:, :2] / homogeneous[:, 2:])

    def distort(self, points: Points) -> Points:
        """Move (n, 2) straight pixels to where the lens puts them."""
        centre = np.array(self.size) / 2
        offset = points - centre
        radius = (offset**2).sum(axis=1, keepdims=True) / (centre**2).sum()
        return np.asarray(centre + offset * (1 + self.distortion * radius))


def _plane_homography(focal: float, size: tuple[int, int], tilt: float, spin: float, distance: float) -> Points:
    """Homography of a camera that looks at the origin of the table from ``distance`` (millimetres)."""
    rotate_x = np.array([[1, 0, 0], [0, np.cos(tilt), 0], [0, -np.sin(tilt), np.cos(tilt)]])
    rotate_z = np.array([[np.cos(spin), -np.sin(spin), 0], [np.sin(spin), np.cos(spin), 0], [0, 0, 1]])
    rotation = rotate_x @ rotate_z
    intrinsic = np.array([[focal, 0, size[0] / 2], [0, focal, size[1] / 2], [0, 0, 1]])
    extrinsic = np.column_stack([rotation[:, 0], rotation[:, 1], [0, 0, distance]])
    return np.asarray(intrinsic @ extrinsic)


def _fits(matrix: Points, points: Points, size: tuple[int, int], margin: float) -> bool:
    homogeneous = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    if (homogeneous[:, 2] <= 1).any():
        return False
    pixels = homogeneous[:, :2] / homogeneous[:, 2:]
    low, high = pixels.min(axis=0), pixels.max(axis=0)
    return bool((high - low <= np.array(size) * (1 - 2 * margin)).all())


def random_camera(rng: Random, size: tuple[int, int], points: Points, steep: float = 0.25) -> Camera:
    """Return a camera that sees (n, 2) ``points`` (table millimetres), sometimes not quite all of them.

    ``steep`` is the share of pictures with a tilt of 30 to 60 degrees.
    """
    focal = rng.uniform(0.75, 1.5) * max(size)
    tilt = np.radians(rng.uniform(30, 60) if rng.random() < steep else abs(rng.normal(0, 14)))
    spin = rng.normal(0, 0.12) + rng.choice([0, 0, 0, np.pi / 2, np.pi, -np.pi / 2])
    distance = 60.0
    while distance < 20000 and not _fits(_plane_homography(focal, size, tilt, spin, distance), points, size, 0.02):
        distance *= 1.05
    distance *= rng.uniform(0.75, 0.98) if rng.random() < 0.15 else 1 + abs(rng.normal(0, 0.22))
    matrix = _plane_homography(focal, size, tilt, spin, distance)
    straight = Camera(matrix, size, 0.0).project_straight(points)
    low, high = straight.min(axis=0), straight.max(axis=0)
    free = np.maximum(np.array(size) - (high - low), 0) / 2
    shift = np.array(size) / 2 - (low + high) / 2 + rng.uniform(-0.9, 0.9, 2) * free
    move = np.array([[1, 0, shift[0]], [0, 1, shift[1]], [0, 0, 1]])
    distortion = float(rng.uniform(-0.06, 0.03)) if rng.random() < 0.3 else 0.0
    return Camera(move @ matrix, size, distortion)


def distort_image(image: npt.NDArray[np.float32], camera: Camera) -> npt.NDArray[np.float32]:
    """Return the straight ``image`` (height, width, 3) as the lens of ``camera`` shows it."""
    if camera.distortion == 0:
        return image
    width, height = camera.size
    x, y = np.meshgrid(np.arange(width, dtype=np.float32) - width / 2, np.arange(height, dtype=np.float32) - height / 2)
    norm = (width / 2) ** 2 + (height / 2) ** 2
    factor = np.ones_like(x)
    for _ in range(3):
        factor = 1 / (1 + camera.distortion * (x**2 + y**2) * factor**2 / norm)
    map_x, map_y = (x * factor + width / 2).astype(np.float32), (y * factor + height / 2).astype(np.float32)
    return np.asarray(cv2.remap(image, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT), np.float32)


@dataclass(frozen=True)
class Sensor:
    """What happens between the light and the file. ``None`` or 0 leaves a step out.

    ``gains`` are white-balance factors in BGR; ``blur`` and ``motion`` are in pixels; ``shrink`` is the factor of a
    softening downscale; ``quality`` is that of JPEG.
    """

    exposure: float = 1.0
    contrast: float = 1.0
    gains: tuple[float, float, float] = (1.0, 1.0, 1.0)
    saturation: float = 1.0
    blur: float = 0.0
    motion: tuple[float, float] = (0.0, 0.0)
    shrink: float = 1.0
    noise: float = 0.0
    chroma_blur: float = 0.0
    sharpen: float = 0.0
    quality: int = 92

    def expose(self, image: npt.NDArray[np.float32], rng: Random) -> npt.NDArray[np.uint8]:
        """Return the (height, width, 3) float32 BGR scene 0..255 as the uint8 picture of this sensor."""
        out = self._tone(self._soften(image))
        if self.noise > 0:
            out = out + _noise(rng, out.shape[:2], self.noise)
        if self.sharpen > 0:
            out = out + np.float32(self.sharpen) * (out - cv2.GaussianBlur(out, (0, 0), 1.5))
        picture = np.clip(out, 0, 255).astype(np.uint8)
        if self.chroma_blur > 0:
            picture = _blur_chroma(picture, self.chroma_blur)
        done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, self.quality])
        decoded = cv2.imdecode(data, cv2.IMREAD_COLOR) if done else picture
        return np.asarray(decoded, np.uint8)

    def _soften(self, image: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        height, width = image.shape[:2]
        if self.shrink > 1:
            small = cv2.resize(image, None, fx=1 / self.shrink, fy=1 / self.shrink, interpolation=cv2.INTER_AREA)
            image = np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)
        if self.blur > 0.2:
            image = np.asarray(cv2.GaussianBlur(image, (0, 0), self.blur), np.float32)
        if np.hypot(*self.motion) > 1:
            image = np.asarray(cv2.filter2D(image, -1, _motion_kernel(*self.motion)), np.float32)
        return image

    def _tone(self, image: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        out = image * (np.array(self.gains, np.float32) * np.float32(self.exposure))
        grey = out.mean(axis=2, keepdims=True)
        out = grey + (out - grey) * np.float32(self.saturation)
        scaled = np.clip(out / 255, 0, 1.6)
        # A soft shoulder, as cameras have: highlights roll off instead of clipping at once.
        shoulder = np.where(scaled > 0.85, 0.85 + 0.15 * np.tanh((scaled - 0.85) / 0.15), scaled)
        return np.asarray(255 * np.power(shoulder, np.float32(self.contrast)), np.float32)


def _motion_kernel(x: float, y: float) -> npt.NDArray[np.float32]:
    length = int(np.ceil(np.hypot(x, y))) | 1
    kernel = np.zeros((length + 2, length + 2), np.float32)
    middle = (length + 2) / 2
    start, end = (middle - x / 2, middle - y / 2), (middle + x / 2, middle + y / 2)
    cv2.line(kernel, (int(start[0]), int(start[1])), (int(end[0]), int(end[1])), 1.0, 1, cv2.LINE_AA)
    return np.asarray(kernel / max(kernel.sum(), 1e-6), np.float32)


def _noise(rng: Random, shape: tuple[int, int], strength: float) -> npt.NDArray[np.float32]:
    """Luma and chroma noise with a little spatial grain, tiled from one block to be quick."""
    block = rng.normal(0, strength, (256, 256, 3)).astype(np.float32)
    block = block * np.float32(0.5) + block.mean(axis=2, keepdims=True) * np.float32(1.2)
    if rng.random() < 0.5:
        block = np.asarray(cv2.GaussianBlur(block, (0, 0), 0.8), np.float32) * np.float32(1.8)
    repeat = (shape[0] // 256 + 1, shape[1] // 256 + 1, 1)
    return np.asarray(np.tile(block, repeat)[: shape[0], : shape[1]], np.float32)


def _blur_chroma(picture: npt.NDArray[np.uint8], sigma: float) -> npt.NDArray[np.uint8]:
    """What 4:2:0 subsampling and cheap webcams do: thin coloured lines lose their colour, not their darkness."""
    luma, red, blue = cv2.split(cv2.cvtColor(picture, cv2.COLOR_BGR2YCrCb))
    blurred = [cv2.GaussianBlur(plane, (0, 0), sigma) for plane in (red, blue)]
    return np.asarray(cv2.cvtColor(cv2.merge([luma, *blurred]), cv2.COLOR_YCrCb2BGR), np.uint8)


def metered(image: npt.NDArray[np.float32], sensor: Sensor) -> Sensor:
    """Return ``sensor`` with its exposure set for ``image``, as cameras do: counted from the brightest things there.

    An exposure of 1 then leaves what is brightest (white cards, mostly) at white.
    """
    bright = (image[::8, ::8] * np.array(sensor.gains, np.float32)).max(axis=2)
    level = max(float(np.percentile(bright, 95)) / 255, 0.02)
    return replace(sensor, exposure=sensor.exposure / level)


def random_sensor(rng: Random, size: tuple[int, int]) -> Sensor:
    """Return a sensor between a good phone and a poor webcam for pictures of ``size`` (width, height).

    How bright paper comes out and how far its white is off follow what 1,500 cards on photos of strangers' tables show:
    paper at 215 of 255 on average and never below 110, its channels within a factor of 1.8.
    """
    unit = max(size) / 1280
    warmth, magenta = rng.normal(0, 0.07), rng.normal(0, 0.03)
    if rng.random() < 0.2:
        warmth, magenta = rng.normal(0, 0.16), rng.normal(0, 0.06)
    warmth, magenta = float(np.clip(warmth, -0.26, 0.26)), float(np.clip(magenta, -0.1, 0.1))
    gains = np.array([1 - warmth, 1 - magenta, 1 + warmth])
    gains /= gains.max()
    angle, length = rng.uniform(0, np.pi), (rng.uniform(2, 9) * unit if rng.random() < 0.08 else 0.0)
    contrast = float(rng.uniform(0.75, 1.35))
    paper = float(np.clip(rng.normal(218, 26), 120, 262))
    return Sensor(
        exposure=(paper / 255) ** (1 / contrast),
        contrast=contrast,
        gains=(float(gains[0]), float(gains[1]), float(gains[2])),
        saturation=float(rng.uniform(0.6, 1.3)),
        blur=float(abs(rng.normal(0, 0.8)) * unit),
        motion=(float(length * np.cos(angle)), float(length * np.sin(angle))),
        shrink=float(rng.uniform(1.2, 2.6)) if rng.random() < 0.25 else 1.0,
        noise=float(rng.choice([0.0, 1.0, 2.0, 4.0, 8.0]) * rng.uniform(0.5, 1.5)),
        chroma_blur=float(rng.uniform(0.8, 3.0) * max(unit, 0.6)) if rng.random() < 0.5 else 0.0,
        sharpen=float(rng.uniform(0.3, 1.6)) if rng.random() < 0.35 else 0.0,
        quality=int(rng.integers(35, 96)),
    )
