"""The certificate with which ``serve --https`` shows itself: one that it makes, or one that its operator has.

One that is made is signed by an authority that signs nothing else: its key is thrown away at once. So a phone may be
told to trust the authority, and whoever gets hold of the machine's files still cannot pass for another site.
"""

from __future__ import annotations

import ssl
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import IPv6Address
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from platformdirs import user_data_path

from service.addresses import address_in
from service.errors import ServiceError
from service.files import read_data

__all__ = [
    "Certificate",
    "CertificateConfig",
    "CertificateError",
    "default_folder",
    "given_certificate",
    "own_certificate",
    "tls_context",
]

_FILE = "https.pem"
_MOST_BYTES = 1_000_000
_PEM = serialization.Encoding.PEM
_DER = serialization.Encoding.DER
_LONGEST_NAME = 64
"""Characters of a common name (RFC 5280, ub-common-name)."""

_Pair = tuple[x509.Certificate, x509.Certificate]
"""A certificate and that of its authority."""


class CertificateError(ServiceError, ValueError):
    """A certificate or a key that cannot be used, or cannot be kept."""

    code = "bad-certificate"


@dataclass(frozen=True)
class CertificateConfig:
    """How certificates are made here."""

    days: int = 397
    """How long one holds. Apple's devices take at most 825 days (support.apple.com/103769), and 398 of public ones."""
    early_days: int = 1
    """How long before it is made it begins: the clock of a phone may be slow."""
    renewed_days: int = 7
    """One that holds for fewer days is made anew."""
    most_names: int = 48
    """Most names and addresses in one, the present ones first."""


@dataclass(frozen=True)
class Certificate:
    """A certificate and its key, as files that OpenSSL reads."""

    file: Path
    key: Path
    fingerprint: str
    """SHA-256 of it, as browsers show it: ``AB:CD:…``."""
    names: tuple[str, ...]
    """The names and addresses for which it stands."""
    authority: bytes = b""
    """DER of the authority of one that was made here, which people may tell their phones to trust."""
    authority_fingerprint: str = ""
    is_new: bool = False


def default_folder() -> Path:
    """Return the user's own data folder, where tables are kept too; nothing is created."""
    return user_data_path("set-referee", appauthor=False)


def own_certificate(
    names: Sequence[str], folder: Path, now: datetime | None = None, config: CertificateConfig | None = None
) -> Certificate:
    """Return the certificate in ``folder``, made anew where it does not stand for all ``names`` or soon ends.

    A new one also stands for the names and private addresses of the old one: a machine that comes back to a network
    needs no other. Global addresses of IPv6 are no reason for a new one, for systems change them every day.

    :param names: host names and addresses, the most important first.
    :param now: the time, by default that of the clock.
    :raises CertificateError: it cannot be kept in ``folder``.
    """
    moment, chosen, file = now or datetime.now(UTC), config or CertificateConfig(), folder / _FILE
    kept = _kept(file)
    if kept is not None and _is_fit(kept[0], names, moment, chosen):
        return _described(file, kept, is_new=False)
    old = [name for name in _names_in(kept[0]) if _lasts(name)] if kept else []
    wanted = list(dict.fromkeys([*names, *old]))[: chosen.most_names]
    key, pair = _made(wanted, moment, chosen)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _write(file, key + b"".join(one.public_bytes(_PEM) for one in pair))
    except OSError as error:
        raise CertificateError(f"cannot keep a certificate in {str(folder)!r}: {error.strerror}") from None
    return _described(file, pair, is_new=True)


def given_certificate(certificate: str, key: str, now: datetime | None = None) -> Certificate:
    """Return the ``certificate`` (PEM, with the chain behind it) and its ``key`` (PEM) that are in two files, or one.

    :param now: the time, by default that of the clock.
    :raises CertificateError: a file cannot be read or is no PEM, the key is encrypted or of another certificate, or the
        certificate does not hold now.
    """
    first, private = _certificate_of(certificate), _key_of(key)
    if private.public_key() != first.public_key():
        raise CertificateError(f"the key {key!r} is not that of the certificate {certificate!r}")
    moment = now or datetime.now(UTC)
    if moment > first.not_valid_after_utc:
        raise CertificateError(f"the certificate {certificate!r} expired on {first.not_valid_after_utc:%Y-%m-%d}")
    if moment < first.not_valid_before_utc:
        raise CertificateError(f"the certificate {certificate!r} holds from {first.not_valid_before_utc:%Y-%m-%d} on")
    return Certificate(Path(certificate), Path(key), _fingerprint(first), _names_in(first))


def tls_context(certificate: Certificate) -> ssl.SSLContext:
    """Return how a server speaks TLS (1.2 or newer) with a ``certificate``.

    :raises CertificateError: OpenSSL does not take it.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    try:
        context.load_cert_chain(certificate.file, certificate.key, password="")
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        raise CertificateError(f"the certificate {str(certificate.file)!r} cannot be used: {reason}") from None
    return context


def _fault(option: str, path: str, reason: object) -> CertificateError:
    return CertificateError(f"{option} {path!r}: {reason}")


def _bytes(option: str, path: str) -> bytes:
    try:
        return read_data(path, "a certificate or a key", _MOST_BYTES)
    except ServiceError as error:
        raise _fault(option, path, error) from None


def _certificate_of(path: str) -> x509.Certificate:
    """Return the first certificate in the file at ``path``."""
    data = _bytes("--certificate", path)
    try:
        return x509.load_pem_x509_certificates(data)[0]
    except ValueError:
        raise _fault("--certificate", path, "this is no certificate in PEM") from None


def _key_of(path: str) -> PrivateKeyTypes:
    """Return the key in the file at ``path``."""
    data = _bytes("--key", path)
    try:
        return serialization.load_pem_private_key(data, None)
    except TypeError:
        raise _fault("--key", path, "this key is encrypted; give it without a password") from None
    except (ValueError, UnsupportedAlgorithm):
        raise _fault("--key", path, "this is no key in PEM") from None


def _kept(file: Path) -> _Pair | None:
    """Return the certificate in ``file`` and its authority; None where there are none that can be used."""
    try:
        data = file.read_bytes()
        key = serialization.load_pem_private_key(data, None)
        certificate, authority = x509.load_pem_x509_certificates(data)
    except (OSError, TypeError, ValueError, UnsupportedAlgorithm):
        return None
    return (certificate, authority) if key.public_key() == certificate.public_key() else None


def _is_fit(certificate: x509.Certificate, names: Sequence[str], now: datetime, config: CertificateConfig) -> bool:
    ends = certificate.not_valid_after_utc - timedelta(days=config.renewed_days)
    needed = {name for name in names[: config.most_names] if not _is_fleeting(name)}
    return certificate.not_valid_before_utc <= now <= ends and needed <= set(_names_in(certificate))


def _is_fleeting(name: str) -> bool:
    """Return whether ``name`` is an address that changes from day to day (RFC 8981)."""
    address = address_in(name)
    return isinstance(address, IPv6Address) and address.is_global


def _lasts(name: str) -> bool:
    """Return whether ``name`` may be that of this machine again."""
    address = address_in(name)
    return address is None or address.is_private


def _names_in(certificate: x509.Certificate) -> tuple[str, ...]:
    try:
        found = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return ()
    addresses = map(str, found.get_values_for_type(x509.IPAddress))
    return (*found.get_values_for_type(x509.DNSName), *addresses)


def _made(names: Sequence[str], now: datetime, config: CertificateConfig) -> tuple[bytes, _Pair]:
    """Return a new key as PEM, the certificate of it for ``names``, and its authority, whose key is kept nowhere."""
    signing, key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    begins = now - timedelta(days=config.early_days)
    ends = begins + timedelta(days=config.days)
    host = next((name for name in names if address_in(name) is None and name != "localhost"), "this machine")
    issuer, subject = _named(f"Set Referee on {host}"), _named(host)
    start = x509.CertificateBuilder().not_valid_before(begins).not_valid_after(ends).issuer_name(issuer)
    identity = x509.SubjectKeyIdentifier.from_public_key(signing.public_key())
    authority = (
        start.subject_name(issuer)
        .serial_number(x509.random_serial_number())
        .public_key(signing.public_key())
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs=True), critical=True)
        .add_extension(identity, critical=False)
        .sign(signing, hashes.SHA256())
    )
    certificate = (
        start.subject_name(subject)
        .serial_number(x509.random_serial_number())
        .public_key(key.public_key())
        .add_extension(x509.SubjectAlternativeName([_general(name) for name in names]), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(identity), critical=False)
        .sign(signing, hashes.SHA256())
    )
    private = key.private_bytes(_PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    return private, (certificate, authority)


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name[:_LONGEST_NAME])])


def _general(name: str) -> x509.GeneralName:
    address = address_in(name)
    return x509.DNSName(name) if address is None else x509.IPAddress(address)


def _usage(signs: bool) -> x509.KeyUsage:
    """Return what a key is for: to sign certificates, or connections."""
    return x509.KeyUsage(
        digital_signature=not signs,
        key_cert_sign=signs,
        crl_sign=signs,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _write(file: Path, data: bytes) -> None:
    """Put ``data`` into ``file`` in one step, for its owner alone."""
    with tempfile.NamedTemporaryFile(dir=file.parent, prefix=f".{file.name}.", delete=False) as part:
        try:
            part.write(data)
            part.close()
            Path(part.name).replace(file)
        except BaseException:
            Path(part.name).unlink(missing_ok=True)
            raise


def _described(file: Path, pair: _Pair, is_new: bool) -> Certificate:
    certificate, authority = pair
    return Certificate(
        file,
        file,
        _fingerprint(certificate),
        _names_in(certificate),
        authority.public_bytes(_DER),
        _fingerprint(authority),
        is_new,
    )


def _fingerprint(certificate: x509.Certificate) -> str:
    return certificate.fingerprint(hashes.SHA256()).hex(":").upper()
