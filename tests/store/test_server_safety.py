"""Who gets in, and what they may do: TLS with a certificate that is checked, passwords from a file, a role that reads."""

import datetime
import ipaddress
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from scenthound.errors import StoreError
from scenthound.settings.server_url import ServerUrl
from scenthound.store.postgres.store import PostgresStore
from tests.cli.conftest import one_line, scenthound
from tests.store.postgres_server import Server, running_server
from tests.store.small_world import found

pytestmark = pytest.mark.slow
PASSWORD = "fish-and-chips"


@dataclass(frozen=True, slots=True, kw_only=True)
class SafeServer:
    """A server that lets users in over TLS only, with a password."""

    server: Server
    port: int
    authority: Path  # certificate that vouches for the server's
    stranger: Path  # one that does not

    def url(self, *, user: str = "crawler", mode: str = "verify-full", authority: Path | None = None) -> str:
        root = authority or self.authority
        return f"postgresql://{user}@127.0.0.1:{self.port}/postgres?crawl=safe&sslmode={mode}&sslrootcert={root}"


@pytest.fixture(scope="module")
def safe(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SafeServer]:
    folder = tmp_path_factory.mktemp("certificates")
    port = _free_port()
    tls = ("listen_addresses=127.0.0.1", "password_encryption=scram-sha-256")
    with running_server(*tls, port=port, access="hostssl all all 127.0.0.1/32 scram-sha-256\n") as server:
        data = server.folder / "data"
        certificate, key = _certify(folder / "authority.pem")
        (data / "server.crt").write_bytes(certificate)
        (data / "server.key").write_bytes(key)
        for path in (data / "server.crt", data / "server.key"):
            shutil.chown(path, data.owner(), data.group())
            path.chmod(0o600)
        _certify(folder / "stranger.pem")
        server.stop()
        server.more = (*tls, "ssl=on")
        server.start()
        server.psql(f"CREATE ROLE crawler LOGIN PASSWORD '{PASSWORD}'")
        server.psql("CREATE ROLE reader LOGIN PASSWORD 'only-reads'")
        server.psql("GRANT CREATE ON DATABASE postgres TO crawler")
        yield SafeServer(server=server, port=port, authority=folder / "authority.pem", stranger=folder / "stranger.pem")


@pytest.fixture
def passwords(safe: SafeServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put the passwords where libpq looks for them."""
    file = tmp_path / "pgpass"
    lines = [f"127.0.0.1:{safe.port}:*:{user}:{word}\n" for user, word in _USERS.items()]
    file.write_text("".join(lines))
    file.chmod(0o600)
    monkeypatch.setenv("PGPASSFILE", str(file))
    return file


_USERS = {"crawler": PASSWORD, "reader": "only-reads"}


def test_the_certificate_of_the_server_is_checked(safe: SafeServer, passwords: Path) -> None:
    with PostgresStore(ServerUrl.read(safe.url())) as store:
        used = "SELECT ssl, version FROM pg_stat_ssl WHERE pid = pg_backend_pid()"
        [is_safe, version] = store.session.con.execute(used).fetchone()
        assert is_safe
        assert str(version).startswith("TLS")
    for wrong in (
        safe.url(authority=safe.stranger),  # another authority
        safe.url().replace("127.0.0.1", "localhost"),  # a certificate for another name
        safe.url(mode="disable"),  # without TLS
    ):
        with pytest.raises(StoreError) as caught, PostgresStore(ServerUrl.read(wrong)):
            pass
        assert "\n" not in str(caught.value)
        assert PASSWORD not in str(caught.value)


def test_a_password_comes_from_a_file_and_is_seen_nowhere(safe: SafeServer, passwords: Path, tmp_path: Path) -> None:
    path = tmp_path / "crawl"
    made = scenthound("new", path, "http://127.0.0.1:1/", "--set", f"store.url={safe.url()}")
    assert made.code == 0, made.err
    command = [sys.executable, "-m", "scenthound", "crawl", str(path), "--set", "fetch.tries=1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        seen = set[str]()
        while process.poll() is None:
            seen.update(_command_lines(process.pid))
        said = process.stdout.read() if process.stdout else ""
    assert len(seen) > 1, "the crawl has processes of its own"
    assert PASSWORD not in said + "".join(seen)
    for file in path.rglob("*"):
        assert not file.is_file() or PASSWORD.encode() not in file.read_bytes(), file
    passwords.write_text("")
    refused = scenthound("status", path)
    assert refused.code == 1
    assert "set the password in ~/.pgpass or PGPASSWORD" in one_line(refused.err)


def test_questions_have_the_rights_of_the_reader(safe: SafeServer, passwords: Path, tmp_path: Path) -> None:
    path = tmp_path / "crawl"
    settings = ("--set", f"store.url={safe.url()}", "--set", "store.reader=reader")
    assert scenthound("new", path, "http://a.test/", *settings).code == 0
    with PostgresStore(ServerUrl.read(safe.url())) as store:
        store.add([found("http://a.test/")], now=0.0)
    refused = scenthound("sql", path, "SELECT url FROM finds")
    assert refused.code in (1, 2)
    one_line(refused.err)
    for grant in _grants("safe"):
        safe.server.psql(grant)
    assert "http://a.test/" in scenthound("sql", path, "SELECT url FROM urls").out
    assert scenthound("sql", path, "SELECT current_user", "--csv").out.split()[-1] == "reader"
    own = PostgresStore(ServerUrl.read(safe.url()), read_only=True)
    for statement in (
        "SELECT set_config('role', 'crawler', false)",
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'crawler'",
        "SELECT pg_read_file('PG_VERSION')",
        "SELECT rolpassword FROM pg_authid",
        "WITH gone AS (DELETE FROM finds RETURNING id) SELECT * FROM gone",
    ):
        with own:
            ran = scenthound("sql", path, statement)
        assert ran.code != 0, statement
        assert "denied" in ran.err or "must be" in ran.err or "refused" in ran.err, ran.err
    assert "http://a.test/" in scenthound("sql", path, "SELECT url FROM finds").out
    for statement in ("DELETE FROM finds", "UPDATE notes SET value = ''", "CREATE TABLE mine (a int)"):
        with pytest.raises(subprocess.CalledProcessError):
            safe.server.psql(f"SET ROLE reader; SET search_path TO safe; {statement}")


def _grants(crawl: str) -> list[str]:
    """Return the statements of the how-to."""
    text = Path("docs/how-to/run-a-crawl-server.md").read_text(encoding="utf-8")
    found = [line.rstrip(";") for line in text.splitlines() if line.startswith(("GRANT", "ALTER DEFAULT"))]
    return [line.replace("cycling", crawl) for line in found if " reader" in line]


def _command_lines(process: int) -> Iterator[str]:
    """Yield what `ps` shows of a process and its children."""
    try:
        yield Path(f"/proc/{process}/cmdline").read_text().replace("\0", " ")
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:
        return
    for child in children:
        yield from _command_lines(int(child))


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as one:
        return int(one.getsockname()[1])


def _certify(authority: Path) -> tuple[bytes, bytes]:
    """Make an authority, whose certificate is written to a file, and a certificate by it for 127.0.0.1 with its key."""
    own, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, authority.stem)])
    now = datetime.datetime.now(datetime.UTC)

    def made(subject: x509.Name, public: ec.EllipticCurvePublicKey, *extensions: x509.ExtensionType) -> bytes:
        builder = x509.CertificateBuilder(
            issuer_name=name,
            subject_name=subject,
            public_key=public,
            serial_number=x509.random_serial_number(),
            not_valid_before=now - datetime.timedelta(days=1),
            not_valid_after=now + datetime.timedelta(days=2),
        )
        for extension in extensions:
            builder = builder.add_extension(extension, critical=isinstance(extension, x509.BasicConstraints))
        return builder.sign(own, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)

    identity = x509.SubjectKeyIdentifier.from_public_key(own.public_key())
    authority.write_bytes(made(name, own.public_key(), x509.BasicConstraints(ca=True, path_length=None), identity))
    server = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "server")])
    address = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    issuer = x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(identity)
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return made(server, key.public_key(), address, issuer), private
