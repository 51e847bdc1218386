"""Where phones find this machine: which addresses, in which order, by what the service really listens on."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager
from ipaddress import ip_address

import pytest
from ifaddr import IP, Adapter

from service.addresses import Machine, addresses_of, is_loopback, this_machine
from service.serve import listening_socket


def adapter(name: str, *addresses: str) -> Adapter:
    """An interface with these addresses, as ifaddr tells of it."""
    found = [IP((one, 0, 3) if ":" in one else one, 64 if ":" in one else 24, name) for one in addresses]
    return Adapter(name, name, found)


HOME = this_machine(
    [
        adapter("lo", "127.0.0.1", "::1"),
        adapter("docker0", "172.17.0.1"),
        adapter("br-5f1c2", "172.18.0.1", "fe80::42%4"),
        adapter("vEthernet (WSL)", "172.29.96.1"),
        adapter("tun0", "10.8.0.2"),
        adapter("wlan0", "2606:4700::20", "fe80::1", "fd00::20", "192.168.1.20", "169.254.3.4"),
        adapter("eth0", "203.0.114.5", "192.168.1.21"),
    ],
    "Laptop.Example.",
)


@contextmanager
def listening(host: str) -> Iterator[tuple[socket.socket, int]]:
    """Yield what listens on ``host``, and its port; skips where this system has no such address."""
    try:
        listener = listening_socket(host, 0)
    except OSError:
        pytest.skip(f"this system cannot listen on {host}")
    with closing(listener):
        yield listener, listener.getsockname()[1]


def test_real_interfaces_and_private_addresses_come_first() -> None:
    assert list(map(str, HOME.addresses)) == [
        *("192.168.1.20", "192.168.1.21", "203.0.114.5", "fd00::20", "2606:4700::20"),
        *("172.17.0.1", "172.18.0.1", "172.29.96.1", "10.8.0.2"),
    ]


def test_a_certificate_stands_for_all_names_and_addresses() -> None:
    assert HOME.names[:3] == ("laptop.example", "laptop.local", "localhost")
    assert set(HOME.names[3:]) == {*map(str, HOME.addresses), "127.0.0.1", "::1"}


@pytest.mark.parametrize(
    ("called", "name", "local"),
    [
        ("laptop", "laptop", "laptop.local"),
        ("Ann-MacBook.local", "ann-macbook.local", "ann-macbook.local"),
        ("pc.fritz.box", "pc.fritz.box", "pc.local"),
        ("localhost", "localhost", ""),
        ("", "", ""),
        ("my_pc", "", ""),
        ("-x", "", ""),
        ("münchen", "", ""),
        ("x" * 64, "", ""),
        ("a\r\nb", "", ""),
    ],
)
def test_only_a_name_that_may_stand_in_an_address_is_told(called: str, name: str, local: str) -> None:
    machine = this_machine([], called)
    assert (machine.name, machine.local_name) == (name, local)
    assert len(set(machine.names)) == len(machine.names)


def test_every_ipv4_address() -> None:
    with listening("0.0.0.0") as (listener, port):  # noqa: S104
        found = addresses_of(listener, "https", HOME)
    assert found[:3] == (f"https://192.168.1.20:{port}", f"https://192.168.1.21:{port}", f"https://203.0.114.5:{port}")
    assert f"https://laptop.local:{port}" in found
    assert not any("[" in address for address in found)
    assert len(found) == 8


def test_every_address_of_both_kinds() -> None:
    machine = Machine("laptop", tuple(map(ip_address, ("fd00::20", "192.168.1.20"))))
    with listening("::") as (listener, port):
        listener_takes_both = not listener.getsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY)
        found = addresses_of(listener, "http", machine)
    old = [f"http://192.168.1.20:{port}"] if listener_takes_both else []
    assert found == (*old, f"http://laptop.local:{port}", f"http://[fd00::20]:{port}")


def test_ipv6_alone_is_not_promised_to_phones_with_ipv4() -> None:
    machine = Machine("laptop", tuple(map(ip_address, ("fd00::20", "192.168.1.20"))))
    with socket.socket(socket.AF_INET6) as listener:
        listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listener.bind(("::", 0))
        port = listener.getsockname()[1]
        assert addresses_of(listener, "http", machine) == (f"http://laptop.local:{port}", f"http://[fd00::20]:{port}")


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.9", "localhost", "::1"])
def test_a_loopback_address_is_none_for_phones(host: str) -> None:
    with listening(host) as (listener, _):
        assert is_loopback(listener)
        assert addresses_of(listener, "http", HOME, ["club.example"]) == ()


class Bound:
    """A socket that says that it listens on one address of the network."""

    family = socket.AF_INET

    def getsockname(self) -> tuple[str, int]:
        """Return where it listens."""
        return "192.168.1.21", 8000


def test_one_address_is_told_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    listener: socket.socket = Bound()  # type: ignore[assignment]
    assert addresses_of(listener, "http", HOME) == ("http://192.168.1.21:8000",)
    assert not is_loopback(listener)


def test_the_names_of_a_certificate_come_first() -> None:
    with listening("0.0.0.0") as (listener, port):  # noqa: S104
        found = addresses_of(listener, "https", HOME, ["club.example"])
    assert found[:2] == (f"https://club.example:{port}", f"https://192.168.1.20:{port}")


def test_a_machine_without_a_network_has_none() -> None:
    alone = this_machine([adapter("lo", "127.0.0.1", "::1")], "laptop")
    with listening("0.0.0.0") as (listener, _):  # noqa: S104
        assert addresses_of(listener, "http", alone, ["club.example"]) == ()


def test_this_machine_tells_of_itself() -> None:
    machine = this_machine()
    assert not any(address.is_loopback or address.is_link_local for address in machine.addresses)
    assert {"localhost", "127.0.0.1", "::1"} <= set(machine.names)
