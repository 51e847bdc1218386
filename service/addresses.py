"""Under which names and addresses others in the network reach this machine.

A phone most likely reaches a private IPv4 address of a real interface; then the name that mDNS answers to; then IPv6.
Nothing is sent and nobody is asked: the system's own list of interfaces says it all.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address

import ifaddr

__all__ = ["Machine", "addresses_of", "is_loopback", "this_machine"]

_VIRTUAL = re.compile(
    r"^(br-|bridge|cni|docker|flannel|lxc|lxd|podman|tailscale|tap|tun|utun|vboxnet|veth|virbr|vmnet|wg|zt)"
    r"|hyper-v|vethernet|virtual|vmware|wsl",
    re.IGNORECASE,
)
"""Interfaces of containers, virtual machines and tunnels, by the names that systems give them."""
_HOST_NAME = re.compile(r"(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*")
_MOST = 8
"""Most addresses that are told."""

_Address = IPv4Address | IPv6Address


@dataclass(frozen=True)
class Machine:
    """What a machine is called, and its addresses as a phone most likely reaches them, without loopback ones."""

    name: str
    """Its host name, in small letters; empty where it has none that may stand in an address."""
    addresses: tuple[_Address, ...]

    @property
    def local_name(self) -> str:
        """What mDNS answers to, where something on the machine speaks it: ``laptop.local``."""
        return f"{self.name.partition('.')[0]}.local" if self.name not in ("", "localhost") else ""

    @property
    def names(self) -> tuple[str, ...]:
        """Everything that a certificate of this machine should stand for."""
        known = (self.name, self.local_name, "localhost", *map(str, self.addresses), "127.0.0.1", "::1")
        return tuple(dict.fromkeys(name for name in known if name))


def this_machine(adapters: Iterable[ifaddr.Adapter] | None = None, name: str | None = None) -> Machine:
    """Return what this machine is called and where it is now.

    :param adapters: its interfaces, by default those that the system lists.
    :param name: its host name, by default what the system says.
    """
    found = ifaddr.get_adapters() if adapters is None else adapters
    called = (socket.gethostname() if name is None else name).lower().rstrip(".")
    ranked = sorted(_ranked(found), key=lambda pair: pair[0])
    addresses = tuple(dict.fromkeys(address for _, address in ranked))
    return Machine(called if _HOST_NAME.fullmatch(called) else "", addresses)


def addresses_of(listener: socket.socket, scheme: str, machine: Machine, names: Sequence[str] = ()) -> tuple[str, ...]:
    """Return where phones find what listens, as ``https://192.168.1.20:8000``, the best first.

    :param names: host names that its certificate stands for and that are to come first.
    """
    family, bound = listener.family, listener.getsockname()
    host = ip_address(bound[0].partition("%")[0])
    if host.is_loopback:
        return ()
    if host.is_unspecified:
        reached = [address for address in machine.addresses if _is_heard(address, family, listener)]
    else:
        reached = [host]
    local = [machine.local_name] if host.is_unspecified and reached and machine.local_name else []
    old = [str(address) for address in reached if address.version == 4]
    new = [f"[{address}]" for address in reached if address.version == 6]
    places = dict.fromkeys([*(name for name in names if reached), *old, *local, *new])
    return tuple(f"{scheme}://{place}:{bound[1]}" for place in places)[:_MOST]


def is_loopback(listener: socket.socket) -> bool:
    """Return whether only this machine itself reaches a ``listener``."""
    return ip_address(listener.getsockname()[0].partition("%")[0]).is_loopback


def _is_heard(address: _Address, family: int, listener: socket.socket) -> bool:
    """Return whether a listener on every address hears those who come to this one."""
    if family == socket.AF_INET:
        return address.version == 4
    return address.version == 6 or not listener.getsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY)


def _ranked(adapters: Iterable[ifaddr.Adapter]) -> Iterable[tuple[tuple[bool, ...], _Address]]:
    for adapter in adapters:
        is_virtual = _VIRTUAL.search(adapter.nice_name) is not None
        for found in adapter.ips:
            address = ip_address(found.ip if isinstance(found.ip, str) else found.ip[0].partition("%")[0])
            if not (address.is_loopback or address.is_link_local):
                yield (is_virtual, address.version == 6, not address.is_private), address
