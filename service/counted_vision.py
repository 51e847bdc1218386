"""Counts what those who work on pictures do: photos with their stages, and workers that had to be replaced."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from service.metrics import Metrics
from service.upload import Parts
from service.workers import Answered, BrokenError, Camera, Correction, Sight, TooSlowError, Vision, Work

__all__ = ["CountedVision"]


class CountedVision:
    """An ``inner`` one, counted in ``metrics``."""

    def __init__(self, inner: Vision, metrics: Metrics) -> None:
        """Count from now on."""
        self.inner, self._metrics = inner, metrics

    async def start(self) -> None:
        """See :class:`service.workers.nouns.Vision`."""
        await self.inner.start()

    async def close(self) -> None:
        """See :class:`service.workers.nouns.Vision`."""
        await self.inner.close()

    async def answer(self, work: Work, parts: Parts) -> Answered:
        """See :class:`service.workers.nouns.Vision`."""
        with self._counted():
            answered = await self.inner.answer(work, parts)
        if answered.stages:
            self._metrics.photo(answered.stages)
        return answered

    async def see(self, camera: Camera, jpeg: bytes, time: float, corrections: Sequence[Correction] = ()) -> Sight:
        """See :class:`service.workers.nouns.Vision`."""
        with self._counted():
            return await self.inner.see(camera, jpeg, time, corrections)

    async def forget(self, camera: str) -> None:
        """See :class:`service.workers.nouns.Vision`."""
        await self.inner.forget(camera)

    @contextmanager
    def _counted(self) -> Iterator[None]:
        try:
            yield
        except (BrokenError, TooSlowError):
            self._metrics.worker_restarted()
            raise
