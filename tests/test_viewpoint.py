"""The pinhole camera of the renderer."""

import numpy as np

from datasets.viewpoint import Viewpoint, random_viewpoint


def above(height: float) -> Viewpoint:
    return Viewpoint((640, 480), 800.0, np.eye(3), np.array([0.0, 0.0, -height]))


def test_a_point_under_the_camera_lies_in_the_middle_of_the_picture() -> None:
    assert np.allclose(above(500).project([[0, 0, 0]]), [[319.5, 239.5]])


def test_what_stands_higher_is_seen_larger() -> None:
    low, high = above(500).project([[100, 0, 0], [100, 0, -100]])
    assert high[0] - 319.5 == (low[0] - 319.5) * 500 / 400


def test_the_homography_of_a_plane_is_the_projection_of_its_points() -> None:
    rng = np.random.default_rng(3)
    points = np.array([[-200, -150, 0], [200, -150, 0], [200, 150, 0], [-200, 150, 0]], float)
    view = random_viewpoint(rng, (800, 600), points)
    flat = rng.uniform(-100, 100, (20, 2))
    for height in (0.0, 24.0):
        mapped = np.column_stack([flat, np.ones(20)]) @ view.plane(height).T
        seen = view.project(np.column_stack([flat, np.full(20, -height)]))
        assert np.allclose(mapped[:, :2] / mapped[:, 2:], seen)


def test_rays_go_through_the_points_that_their_pixels_show() -> None:
    rng = np.random.default_rng(4)
    corners = np.array([[-100, -100, 0], [100, 100, 0]], float)
    view = random_viewpoint(rng, (800, 600), corners)
    point = np.array([[30.0, -40.0, -10.0]])
    x, y = view.project(point)[0].astype(np.float32)
    ray = view.rays(np.array([x]), np.array([y]))[0]
    way = (point - view.eye)[0]
    assert np.allclose(ray / np.linalg.norm(ray), way / np.linalg.norm(way), atol=1e-5)


def test_random_viewpoints_stand_above_the_table_within_the_tilt_asked_for() -> None:
    rng = np.random.default_rng(5)
    points = np.array([[-150, -100, 0], [150, 100, 0]], float)
    for _ in range(50):
        view = random_viewpoint(rng, (640, 480), points, (0.0, 45.0))
        assert view.eye[2] < 0
        assert np.degrees(np.arccos(view.rotation[2, 2])) <= 45.001
        assert (view.depth(points) > 0).all()
