"""Where a running service is found, and what it tells people about that when it begins."""

from __future__ import annotations

import shutil
import socket
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from service.addresses import Machine, address_in, addresses_of, is_loopback, this_machine
from service.certificate import Certificate
from service.qr import qr_blocks

__all__ = ["Door", "greeting"]


@dataclass(frozen=True)
class Door:
    """What a service listens with: the socket, the host as people gave it, and its certificate if it speaks TLS."""

    listener: socket.socket
    host: str
    certificate: Certificate | None = None

    @property
    def scheme(self) -> str:
        """``http`` or ``https``."""
        return "http" if self.certificate is None else "https"

    @property
    def authority(self) -> bytes:
        """DER of the authority behind its certificate, where that was made here."""
        return b"" if self.certificate is None else self.certificate.authority

    @property
    def address(self) -> str:
        """Where it listens, as people said it."""
        name = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{name}:{self.listener.getsockname()[1]}"

    def addresses(self, machine: Machine | None = None) -> tuple[str, ...]:
        """Return where phones find it now, the best first; the ``machine`` is by default this one, as it is now."""
        return addresses_of(self.listener, self.scheme, machine or this_machine(), self._names())

    def _names(self) -> Sequence[str]:
        """Return the host names of a certificate that people have got for them."""
        if self.certificate is None or self.certificate.authority:
            return ()
        return [name for name in self.certificate.names if _is_host_name(name)]


def greeting(door: Door, qr: bool | None = None, machine: Machine | None = None) -> str:
    """Return the lines that people see once the service listens at a ``door``.

    :param qr: whether a QR code is among them; None: if standard output is a terminal in which it can be seen.
    :param machine: by default this one.
    """
    lines = [f"Set Referee listens on {door.address} (Ctrl-C stops it)"]
    addresses = door.addresses(machine)
    if addresses:
        lines.append(f"Phones in the same network open {addresses[0]}")
        if qr is not False:
            lines += qr_blocks(addresses[0], None if qr else _columns())
        if door.certificate is None:
            lines.append("There they can play, but browsers open no camera without --https")
    elif door.certificate is not None:
        is_inside = is_loopback(door.listener)
        lines.append(
            f"Phones cannot reach it{': --host 0.0.0.0 lets them' if is_inside else ', for it is in no network'}"
        )
    if door.certificate is not None and door.certificate.authority:
        lines += _of_own(door.certificate, addresses)
    return "\n".join(lines)


def _of_own(certificate: Certificate, addresses: Sequence[str]) -> list[str]:
    """Return what people have to know of a certificate that was made here."""
    made = "It has just made a new certificate" if certificate.is_new else "It has made its certificate itself"
    lines = [
        f"{made}, so browsers warn; it is the right one where they show this SHA-256:",
        f"  {certificate.fingerprint}",
    ]
    if addresses:
        lines += [
            f"An iPhone has to trust it first (README): load {addresses[0]}/api/v1/certificate, SHA-256:",
            f"  {certificate.authority_fingerprint}",
        ]
    return lines


def _columns() -> int:
    """Return how wide the terminal is in which a QR code can be seen; 0 where there is none."""
    try:
        "█▀▄".encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        return 0
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else 0


def _is_host_name(name: str) -> bool:
    """Return whether a ``name`` of a certificate can be opened by others: no address, no pattern, not this machine."""
    return address_in(name) is None and "*" not in name and name != "localhost"
