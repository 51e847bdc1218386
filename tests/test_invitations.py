"""Invitations: short codes for keys, how long they are good, who may make and guess them, and that no log has them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import httpx
import pytest

from service.api.models import CodeAnswer, InvitedAnswer, KeyAnswer
from service.hub.errors import FullError, NoInvitationError
from service.hub.invitations import Invitation, Invitations, InvitationSettings
from service.hub.keys import NewKey, new_key
from service.quotas import TooManyError
from service.store import Key, Role
from tests.fakes import SteadyClock
from tests.shared_tables import CLASSIC, TABLES, Table, form, opened, refused, serving

INVITATIONS = "/api/v1/invitations"
HOUSEHOLD = "203.0.113.7"


def made_key(role: Role = Role.JOIN, player: str | None = None) -> tuple[Key, NewKey]:
    """Return a new key."""
    return new_key(role, player, 0.0)


def invited(invitations: Invitations, table: str = "friday", role: Role = Role.JOIN) -> Invitation:
    """Invite somebody with a new key."""
    known, whole = made_key(role)
    return invitations.invite(table, known, whole.key)


@pytest.fixture
def invitations(clock: SteadyClock) -> Invitations:
    """Invitations as a service has them, by a clock that stands."""
    return Invitations(clock)


# Codes.


def test_a_code_is_short_and_gives_the_key(invitations: Invitations) -> None:
    known, whole = made_key()
    made = invitations.invite("friday", known, whole.key)
    assert re.fullmatch("[2-9a-z]{6}", made.code)
    found = invitations.look_up(made.code, HOUSEHOLD)
    assert (found.table, found.key, found.known, found.seconds) == ("friday", whole.key, known, 1800)


def test_codes_are_by_chance(invitations: Invitations) -> None:
    assert len({invited(invitations).code for _ in range(20)}) == 20


def test_a_code_is_taken_as_people_write_it(invitations: Invitations) -> None:
    made = invited(invitations)
    code = made.code
    for written in (code.upper(), f" {code[:3]} {code[3:]}\n", f"{code[:3]}-{code[3:]}".upper(), "-".join(code)):
        assert invitations.look_up(written, HOUSEHOLD) is made


def test_asked_again_the_code_is_the_same_and_its_time_begins_anew(
    invitations: Invitations, clock: SteadyClock
) -> None:
    known, whole = made_key()
    code = invitations.invite("friday", known, whole.key).code
    clock.now += 1000
    assert invitations.invite("friday", known, whole.key).code == code
    clock.now += 1799
    assert invitations.look_up(code, HOUSEHOLD).key == whole.key
    clock.now += 1
    with pytest.raises(NoInvitationError):
        invitations.look_up(code, HOUSEHOLD)
    assert invitations.invite("friday", known, whole.key).code != code


def test_nothing_is_kept_of_codes_whose_time_is_over(invitations: Invitations, clock: SteadyClock) -> None:
    for number in range(5):
        invited(invitations, f"table {number}")
    clock.now += 1800
    invited(invitations)
    assert len(invitations) == 1
    assert len(invitations._tables) == 1


def test_a_key_or_a_whole_table_is_forgotten(invitations: Invitations) -> None:
    first, second, other = invited(invitations), invited(invitations), invited(invitations, "sunday")
    invitations.forget("friday", first.known.id)
    invitations.forget("friday", first.known.id)
    invitations.forget("nowhere")
    with pytest.raises(NoInvitationError):
        invitations.look_up(first.code, HOUSEHOLD)
    assert invitations.look_up(second.code, HOUSEHOLD) is second
    invitations.forget("friday")
    assert len(invitations) == 1
    assert invitations.look_up(other.code, HOUSEHOLD) is other


def test_there_are_so_many_and_no_more(clock: SteadyClock) -> None:
    invitations = Invitations(clock, InvitationSettings(most=3))
    made = [invited(invitations, f"table {number}") for number in range(3)]
    with pytest.raises(FullError, match="no room for more invitations"):
        invited(invitations)
    again = invitations.invite(made[1].table, made[1].known, made[1].key)
    assert again.code == made[1].code
    clock.now += 1800
    assert invited(invitations).code


def test_the_oldest_of_a_table_goes(clock: SteadyClock) -> None:
    invitations = Invitations(clock, InvitationSettings(at_table=2))
    other = invited(invitations, "sunday")
    first, second = invited(invitations), invited(invitations)
    invitations.invite("friday", first.known, first.key)
    invited(invitations)
    with pytest.raises(NoInvitationError):
        invitations.look_up(second.code, HOUSEHOLD)
    assert invitations.look_up(first.code, HOUSEHOLD).key == first.key
    assert invitations.look_up(other.code, HOUSEHOLD) is other


def test_no_code_or_key_is_shown_by_accident(invitations: Invitations) -> None:
    made = invited(invitations)
    assert made.code not in repr(made)
    assert made.key not in repr(made)
    assert made.code.encode() not in b"".join(invitations._codes)


# Guessing.


@pytest.mark.parametrize("wrong", ["", "222222", "k7m4q", "é" * 6, "\x00", "\ud800", "k7m4qxk7m4qx" * 100])
def test_a_wrong_code_stands_for_nothing(wrong: str, invitations: Invitations) -> None:
    with pytest.raises(NoInvitationError) as refusal:
        invitations.look_up(wrong, HOUSEHOLD)
    assert not wrong or wrong not in str(refusal.value)


def test_a_client_may_guess_ten_times_a_minute(invitations: Invitations, clock: SteadyClock) -> None:
    made = invited(invitations)
    for _ in range(10):
        with pytest.raises(NoInvitationError):
            invitations.look_up("222222", HOUSEHOLD)
    with pytest.raises(TooManyError) as refusal:
        invitations.look_up(made.code, HOUSEHOLD)
    assert refusal.value.retry_after == 6
    assert invitations.look_up(made.code, "198.51.100.4") is made
    clock.now += 6
    assert invitations.look_up(made.code, HOUSEHOLD) is made


def test_all_together_may_guess_sixty_times_a_minute(invitations: Invitations, clock: SteadyClock) -> None:
    made = invited(invitations)
    for number in range(60):
        with pytest.raises(NoInvitationError):
            invitations.look_up("222222", f"198.51.100.{number}")
    with pytest.raises(TooManyError) as refusal:
        invitations.look_up(made.code, HOUSEHOLD)
    assert refusal.value.retry_after == 1
    clock.now += 1
    assert invitations.look_up(made.code, HOUSEHOLD) is made


def test_right_codes_cost_nothing(invitations: Invitations) -> None:
    made = invited(invitations)
    assert all(invitations.look_up(made.code, HOUSEHOLD) is made for _ in range(200))


# Over HTTP.


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with serving(tmp_path_factory.mktemp("tables")) as found:
        yield found


@pytest.fixture
def table(client: httpx.Client) -> Table:
    """A table of classic SET."""
    return opened(client, client.post(TABLES, json=CLASSIC))


def code_for(table: Table, key: str) -> str:
    """Return the code for a key, as the host gets it."""
    answer = form(CodeAnswer, table.post("/invitations", {"key": key}), 201)
    assert answer.seconds == 1800
    return answer.code


@pytest.mark.parametrize("who", ["join", "spectator", "camera", "Ann"])
def test_a_code_opens_the_table(who: str, table: Table, client: httpx.Client) -> None:
    code = code_for(table, table.keys[who])
    assert code_for(table, table.keys[who]) == code
    found = form(InvitedAnswer, client.post(INVITATIONS, json={"code": code.upper()}))
    assert (found.table, found.key) == (table.id, table.keys[who])
    assert (found.role, found.player) == (("player", who) if who == "Ann" else (who, None))
    assert table.get(who=found.key).status_code == 200


def test_many_phones_take_seats_with_one_code(table: Table, client: httpx.Client) -> None:
    code = code_for(table, table.keys["join"])
    for player in ("Ann", "Ben"):
        join = form(InvitedAnswer, client.post(INVITATIONS, json={"code": code})).key
        seat = form(KeyAnswer, table.post("/seats", {"player": player}, join), 201)
        assert seat.player == player


@pytest.mark.parametrize("who", ["join", "spectator", "camera", "Ann"])
def test_only_a_host_invites(who: str, table: Table) -> None:
    refused(table.post("/invitations", {"key": table.keys["join"]}, who), 403, "not-allowed")


def test_a_key_that_nobody_is_invited_with_is_refused(table: Table, client: httpx.Client) -> None:
    other = opened(client, client.post(TABLES, json=CLASSIC))
    for key in (other.keys["join"], "nonsense", f"{table.keys['join'][:-1]}~"):
        text = refused(table.post("/invitations", {"key": key}), 422, "bad-table")
        assert "expected one of this table" in text
        assert key not in text
    assert "goes to nobody else" in refused(table.post("/invitations", {"key": table.keys["host"]}), 422, "bad-table")


def test_a_code_ends_with_its_key(table: Table, client: httpx.Client) -> None:
    join, spectator = code_for(table, table.keys["join"]), code_for(table, table.keys["spectator"])
    assert table.delete(f"/keys/{table.keys['join'].partition('.')[0]}").status_code == 204
    refused(client.post(INVITATIONS, json={"code": join}), 404, "no-invitation")
    refused(table.post("/invitations", {"key": table.keys["join"]}), 422, "bad-table")
    assert client.post(INVITATIONS, json={"code": spectator}).status_code == 200


def test_a_code_ends_with_its_table(table: Table, client: httpx.Client) -> None:
    code = code_for(table, table.keys["join"])
    assert table.delete().status_code == 204
    refused(client.post(INVITATIONS, json={"code": code}), 404, "no-invitation")


def test_guessing_ends_with_429(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        for _ in range(10):
            refused(client.post(INVITATIONS, json={"code": "222222"}), 404, "no-invitation")
        answer = client.post(INVITATIONS, json={"code": "222222"})
        refused(answer, 429, "too-many-requests")
        assert 1 <= int(answer.headers["retry-after"]) <= 6


def test_no_log_has_a_code_or_a_key(table: Table, client: httpx.Client, log: StringIO) -> None:
    code = code_for(table, table.keys["join"])
    client.post(INVITATIONS, json={"code": code})
    client.get(f"/j/{code}")
    client.get(f"/j/{code}/")
    client.post(f"/j/{code}")
    assert code not in client.get("/metrics").text  # and by now all lines are written
    told = log.getvalue()
    assert '"route": "/j/{code}"' in told
    assert code not in told
    assert table.keys["join"] not in told
