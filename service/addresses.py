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

__all__ = ["Address", "Machine", "address_in", "addresses_of", "is_loopback", "this_machine"]

_VIRTUAL = re.compile(
    r"^(br-|bridge|cni|docker|flannel|lxc|lxd|podman|tailscale|tap|tun|utun|vboxnet|veth|virbr|vmnet|wg|zt)"
    r"|hyper-v|vethernet|virtual|vmware|wsl",
    re.IGNORECASE,
)
"""Interfaces of containers, virtual machines and tunnels, by the names that systems give them."""
_HOST_NAME = re.compile(r"(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*")
_MOST = 8
"""Most addresses that are told."""

Address = IPv4Address | IPv6Address
"""Of a machine in a network."""


@dataclass(frozen=True)
class Machine:
    """What a machine is called, and its addresses as a phone most likely reaches them, without loopback ones."""

    name: str
    """Its host name, in small letters; empty where it has none that may stand in an address."""
    addresses: tuple[Address, ...]

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
    bound, port = _bound(listener), listener.getsockname()[1]
    if bound.is_loopback:
        return ()
    if bound.is_unspecified:
        reached = [address for address in machine.addresses if _is_heard(address, listener)]
    else:
        reached = [bound]
    if not reached:
        return ()
    local = [machine.local_name] if bound.is_unspecified and machine.local_name else []
    of_four = [str(address) for address in reached if address.version == 4]
    of_six = [f"[{address}]" for address in reached if address.version == 6]
    places = dict.fromkeys([*names, *of_four, *local, *of_six])
    return tuple(f"{scheme}://{place}:{port}" for place in places)[:_MOST]


def is_loopback(listener: socket.socket) -> bool:
    """Return whether only this machine itself reaches a ``listener``."""
    return _bound(listener).is_loopback


def address_in(text: str) -> Address | None:
    """Return the address that a ``text`` is, None for a host name or anything else; a zone is left aside."""
    try:
        return ip_address(text.partition("%")[0])
    except ValueError:
        return None


def _bound(listener: socket.socket) -> Address:
    """Return the address that is listened on."""
    return ip_address(listener.getsockname()[0].partition("%")[0])


def _is_heard(address: Address, listener: socket.socket) -> bool:
    """Return whether a listener on every address hears those who come to this one."""
    if listener.family == socket.AF_INET:
        return address.version == 4
    return address.version == 6 or not listener.getsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY)


def _ranked(adapters: Iterable[ifaddr.Adapter]) -> Iterable[tuple[tuple[bool, ...], Address]]:
    """Yield every address that others could reach, with its rank: the lowest is the likeliest."""
    for adapter in adapters:
        is_virtual = _VIRTUAL.search(adapter.nice_name) is not None
        for found in adapter.ips:
            address = ip_address(found.ip if isinstance(found.ip, str) else found.ip[0].partition("%")[0])
            if not (address.is_loopback or address.is_link_local):
                yield (is_virtual, address.version == 6, not address.is_private), address
