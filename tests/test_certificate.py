"""The certificate of ``serve --https``: what is in it, when it is made anew, and certificates that people bring."""

from __future__ import annotations

import hashlib
import ssl
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID
from cryptography.x509.verification import PolicyBuilder, Store

from service.certificate import (
    Certificate,
    CertificateConfig,
    CertificateError,
    default_folder,
    given_certificate,
    own_certificate,
    tls_context,
)

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
NAMES = ("laptop.example", "laptop.local", "localhost", "192.168.1.20", "fd00::20", "127.0.0.1", "::1")


def read(certificate: Certificate) -> x509.Certificate:
    """The certificate as it is in its file."""
    return x509.load_pem_x509_certificates(certificate.file.read_bytes())[0]


def test_it_stands_for_the_names_and_addresses(tmp_path: Path) -> None:
    made = own_certificate(NAMES, tmp_path, NOW)
    assert made.is_new
    assert sorted(made.names) == sorted(NAMES)
    found = read(made).extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert found.get_values_for_type(x509.DNSName) == ["laptop.example", "laptop.local", "localhost"]
    assert list(map(str, found.get_values_for_type(x509.IPAddress))) == list(NAMES[3:])


def test_phones_may_take_it(tmp_path: Path) -> None:
    made = read(own_certificate(NAMES, tmp_path, NOW))
    assert made.not_valid_after_utc - made.not_valid_before_utc == timedelta(days=397)
    assert made.not_valid_before_utc < NOW
    key = made.public_key()
    assert isinstance(key, ec.EllipticCurvePublicKey)
    assert isinstance(key.curve, ec.SECP256R1)
    usage = made.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    assert list(usage) == [ExtendedKeyUsageOID.SERVER_AUTH]
    assert not made.extensions.get_extension_for_class(x509.BasicConstraints).value.ca


@pytest.mark.parametrize("name", NAMES[:3])
def test_whoever_trusts_its_authority_trusts_it(tmp_path: Path, name: str) -> None:
    made = own_certificate(NAMES, tmp_path, NOW)
    authority = x509.load_der_x509_certificate(made.authority)
    builder = PolicyBuilder().store(Store([authority])).time(NOW)
    chain = builder.build_server_verifier(x509.DNSName(name)).verify(read(made), [])
    assert chain == [read(made), authority]


def test_the_key_of_the_authority_is_nowhere(tmp_path: Path) -> None:
    made = own_certificate(NAMES, tmp_path, NOW)
    assert [path.name for path in tmp_path.iterdir()] == ["https.pem"]
    data = made.file.read_bytes()
    assert data.count(b"PRIVATE KEY-----\n") == 2
    key = serialization.load_pem_private_key(data, None)
    assert key.public_key() == read(made).public_key() != x509.load_der_x509_certificate(made.authority).public_key()


def test_only_its_owner_can_read_it(tmp_path: Path) -> None:
    made = own_certificate(NAMES, tmp_path / "a" / "b", NOW)
    assert stat.S_IMODE(made.file.stat().st_mode) == 0o600
    assert stat.S_IMODE(made.file.parent.stat().st_mode) == 0o700


def test_the_fingerprint_is_that_of_browsers(tmp_path: Path) -> None:
    made = own_certificate(NAMES, tmp_path, NOW)
    der = read(made).public_bytes(serialization.Encoding.DER)
    assert made.fingerprint.replace(":", "") == hashlib.sha256(der).hexdigest().upper()
    assert made.authority_fingerprint.replace(":", "") == hashlib.sha256(made.authority).hexdigest().upper()


def test_it_is_used_again_as_long_as_it_fits(tmp_path: Path) -> None:
    first = own_certificate(NAMES, tmp_path, NOW)
    again = own_certificate(NAMES[3:], tmp_path, NOW + timedelta(days=388))
    assert not again.is_new
    assert (again.fingerprint, again.authority) == (first.fingerprint, first.authority)


@pytest.mark.parametrize(
    ("names", "days"),
    [(NAMES, 389.1), (NAMES, 500), (NAMES, -2), (("192.168.1.21",), 1), (("tablet.local",), 1), (("203.0.113.9",), 1)],
)
def test_it_is_made_anew_where_it_does_not_fit(tmp_path: Path, names: tuple[str, ...], days: float) -> None:
    first = own_certificate(NAMES, tmp_path, NOW)
    second = own_certificate(names, tmp_path, NOW + timedelta(days=days))
    assert second.is_new
    assert second.fingerprint != first.fingerprint
    assert set(names) <= set(second.names)


def test_an_address_that_changes_every_day_is_no_reason_for_a_new_one(tmp_path: Path) -> None:
    first = own_certificate([*NAMES, "2606:4700::7"], tmp_path, NOW)
    assert "2606:4700::7" in first.names
    assert not own_certificate([*NAMES, "2606:4700::8"], tmp_path, NOW).is_new


def test_a_machine_that_comes_back_to_a_network_needs_no_new_one(tmp_path: Path) -> None:
    own_certificate(["laptop.local", "192.168.1.20", "198.18.0.1", "1.1.1.1", "2606:4700::7"], tmp_path, NOW)
    away = own_certificate(["laptop.local", "10.0.0.7"], tmp_path, NOW)
    assert sorted(away.names) == ["10.0.0.7", "192.168.1.20", "198.18.0.1", "laptop.local"]
    assert not own_certificate(["laptop.local", "192.168.1.20"], tmp_path, NOW).is_new


def test_what_it_stands_for_is_bounded(tmp_path: Path) -> None:
    config = CertificateConfig(most_names=3)
    own_certificate(["a.local", "10.0.0.1", "10.0.0.2"], tmp_path, NOW, config)
    names = ["a.local", "10.0.0.3"]
    made = own_certificate(names, tmp_path, NOW, config)
    assert made.names == ("a.local", "10.0.0.3", "10.0.0.1")
    many = [f"10.0.1.{n}" for n in range(9)]
    assert own_certificate(many, tmp_path, NOW, config).names == tuple(many[:3])
    assert not own_certificate(many, tmp_path, NOW, config).is_new


@pytest.mark.parametrize(
    "damage", [b"", b"nonsense", b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"]
)
def test_a_damaged_one_is_made_anew(tmp_path: Path, damage: bytes) -> None:
    own_certificate(NAMES, tmp_path, NOW).file.write_bytes(damage)
    assert own_certificate(NAMES, tmp_path, NOW).is_new
    tls_context(own_certificate(NAMES, tmp_path, NOW))


def test_one_with_another_key_is_made_anew(tmp_path: Path) -> None:
    made = own_certificate(NAMES, tmp_path, NOW)
    other = own_certificate(NAMES, tmp_path / "other", NOW)
    key, begin, rest = made.file.read_text().partition("-----BEGIN CERTIFICATE")
    made.file.write_text(other.file.read_text().partition("-----BEGIN CERTIFICATE")[0] + begin + rest)
    assert key
    assert own_certificate(NAMES, tmp_path, NOW).is_new


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(CertificateError, match=r"cannot keep a certificate in '.*file/folder'"):
        own_certificate(NAMES, tmp_path / "file" / "folder", NOW)


def test_nothing_is_left_where_it_cannot_be_put_in_its_place(tmp_path: Path) -> None:
    (tmp_path / "https.pem").mkdir()
    with pytest.raises(CertificateError):
        own_certificate(NAMES, tmp_path, NOW)
    assert [path.name for path in tmp_path.iterdir()] == ["https.pem"]


def test_tables_and_the_certificate_are_kept_in_one_folder() -> None:
    from service.store import Store

    assert str(default_folder()) in Store.default_address()


def test_old_tls_is_not_spoken(tmp_path: Path) -> None:
    assert tls_context(own_certificate(NAMES, tmp_path, NOW)).minimum_version == ssl.TLSVersion.TLSv1_2


# Certificates that people bring.

FOREVER = (NOW - timedelta(days=30), NOW + timedelta(days=60))
Brought = tuple[str, str]
Key = ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey


def _pem(key: Key, password: bytes = b"") -> bytes:
    encryption = serialization.BestAvailableEncryption(password) if password else serialization.NoEncryption()
    return key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, encryption)


def brought(folder: Path, span: tuple[datetime, datetime] = FOREVER, key: Key | None = None) -> Brought:
    """Write a certificate for club.example and its key into files, and return their names."""
    signing = key or ec.generate_private_key(ec.SECP256R1())
    name = x509.Name.from_rfc4514_string("CN=club.example")
    certificate = (
        x509.CertificateBuilder(name, name, signing.public_key(), x509.random_serial_number(), *span)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("club.example")]), critical=False)
        .sign(signing, hashes.SHA256())
    )
    folder.mkdir(exist_ok=True)
    (folder / "chain.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    (folder / "key.pem").write_bytes(_pem(signing))
    return str(folder / "chain.pem"), str(folder / "key.pem")


@pytest.mark.parametrize("kind", ["ecdsa", "rsa"])
def test_a_certificate_that_people_bring_is_used(tmp_path: Path, kind: str) -> None:
    key: Key = ec.generate_private_key(ec.SECP384R1()) if kind == "ecdsa" else rsa.generate_private_key(65537, 2048)
    files = brought(tmp_path, key=key)
    given = given_certificate(*files, NOW)
    assert (str(given.file), str(given.key), given.names) == (*files, ("club.example",))
    assert (given.authority, given.is_new) == (b"", False)
    tls_context(given)


def test_the_certificate_and_its_key_may_be_in_one_file(tmp_path: Path) -> None:
    chain, key = (Path(path) for path in brought(tmp_path))
    chain.write_bytes(key.read_bytes() + chain.read_bytes())
    tls_context(given_certificate(str(chain), str(chain), NOW))


def test_files_that_are_none_are_named(tmp_path: Path) -> None:
    chain, key = brought(tmp_path)
    gone = str(tmp_path / "gone.pem")
    with pytest.raises(CertificateError, match=r"--certificate '.*gone.pem': no such file"):
        given_certificate(gone, key, NOW)
    with pytest.raises(CertificateError, match=r"--key '.*gone.pem': no such file"):
        given_certificate(chain, gone, NOW)
    with pytest.raises(CertificateError, match=r"--key .*: this is a directory"):
        given_certificate(chain, str(tmp_path), NOW)
    with pytest.raises(CertificateError, match=r"--certificate '.*key.pem': this is no certificate in PEM"):
        given_certificate(key, key, NOW)
    with pytest.raises(CertificateError, match=r"--key '.*chain.pem': this is no key in PEM"):
        given_certificate(chain, chain, NOW)


def test_another_key_is_refused(tmp_path: Path) -> None:
    chain, _ = brought(tmp_path / "a")
    _, key = brought(tmp_path / "b")
    with pytest.raises(CertificateError, match=r"the key '.*b/key.pem' is not that of the certificate '.*a/chain.pem'"):
        given_certificate(chain, key, NOW)


def test_an_encrypted_key_is_refused(tmp_path: Path) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    files = brought(tmp_path, key=key)
    Path(files[1]).write_bytes(_pem(key, b"secret"))
    with pytest.raises(CertificateError, match="this key is encrypted"):
        given_certificate(*files, NOW)


def test_a_certificate_holds_only_in_its_time(tmp_path: Path) -> None:
    files = brought(tmp_path)
    with pytest.raises(CertificateError, match="expired on 2027-01-29"):
        given_certificate(*files, NOW + timedelta(days=61))
    with pytest.raises(CertificateError, match="holds from 2026-10-31 on"):
        given_certificate(*files, NOW - timedelta(days=31))


def test_what_openssl_does_not_take_is_refused(tmp_path: Path) -> None:
    weak = given_certificate(*brought(tmp_path, key=rsa.generate_private_key(65537, 1024)), NOW)  # noqa: S505
    with pytest.raises(CertificateError, match="cannot be used: EE_KEY_TOO_SMALL"):
        tls_context(weak)
