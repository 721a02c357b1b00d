"""Workers of a Dask cluster, which is reached at the address of its scheduler.

They need this cardc, and nothing of the game: it is sent to them. The scheduler gives what a lost worker had to another
one, and takes in workers that come while it runs. `distributed` is the extra `cardc[cluster]` and imported only here.
"""

from __future__ import annotations

import io
import json
import logging
import threading
import warnings
import zipfile
from collections.abc import Sequence
from concurrent.futures import CancelledError, Future
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from cardc.package import MANIFEST, UsageError
from cardc.simulate.share import WorkersLost
from cardc.simulate.work import Part, play, player

CONNECT = 10
"""How many seconds a scheduler has to answer."""


class Cluster:
    """The workers of the scheduler at `address`, whatever they are at the time. Raises UsageError if none answers."""

    def __init__(self, address: str, paths: tuple[Path, list[Path]], call: dict[str, Any]) -> None:
        try:
            self._dask: Any = import_module("distributed")
        except ImportError:
            raise UsageError("--cluster needs the package distributed: pip install 'cardc[cluster]'") from None
        for name in list(logging.root.manager.loggerDict):
            if name.split(".")[0] in ("distributed", "tornado"):  # What matters of it is told in one line.
                logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        warnings.filterwarnings("ignore", module="distributed")
        self._address = address
        self._call = call
        self._check(address)
        try:
            self._client = self._dask.Client(address, timeout=CONNECT, set_as_default=False)
        except OSError as error:
            said = (str(error).splitlines() or [""])[0]
            reason = "" if not said or "imed out" in said else f": {said}"
            raise UsageError(f"no Dask scheduler answers at {address}{reason}") from None
        self._pool = self._client.get_executor(pure=False)
        # A task of its own: each worker fetches the game once, and it is made again if those who have it are lost.
        archive = packed([paths[0], *paths[1]])
        self._digest = sha256(archive).hexdigest()
        self._game = self._client.submit(bytes, archive, pure=False)

    def _check(self, address: str) -> None:
        """Find what a client could not even try; it does not end well after that. Raises UsageError."""
        try:
            self._dask.comm.get_address_host_port(address)
        except ValueError:
            raise UsageError(
                f"--cluster takes the address of a scheduler such as tcp://10.0.0.1:8786, not {address}"
            ) from None
        secure = self._dask.Security().get_connection_args("client").get("ssl_context") is not None
        if address.startswith("tls") and not secure:
            raise UsageError(f"{address} needs certificates: name them in Dask's settings, under distributed.comm.tls")

    @property
    def room(self) -> int:
        return 2 * max(sum(self._threads().values()), 1)

    def _threads(self) -> dict[str, int]:
        try:
            found: dict[str, int] = self._client.nthreads()
        except (OSError, ValueError):
            found = {}
        return found

    def submit(self, seeds: range) -> Future[Part]:
        try:
            piece: Future[Part] = self._pool.submit(play_sent, player(), self._digest, self._game, self._call, seeds)
        except (RuntimeError, OSError):
            raise self._gone() from None
        return piece

    def result(self, piece: Future[Part]) -> Part:
        try:
            return piece.result()
        except self._dask.KilledWorker:
            raise WorkersLost from None
        except (CancelledError, self._dask.client.FutureCancelledError):
            raise self._gone() from None
        except (ImportError, AttributeError, RuntimeError) as error:
            if (lacking := lacks(error)) is None:
                raise
            raise UsageError(f"not all of {self._address} has this cardc ({lacking}): install it there") from None

    def _gone(self) -> UsageError:
        return UsageError(f"the Dask scheduler at {self._address} has gone")

    def trouble(self) -> str | None:
        if self._client.status != "running":
            return f"cardc: the Dask scheduler at {self._address} does not answer; waiting for it"
        if not self._threads():
            return f"cardc: the Dask scheduler at {self._address} has no workers; waiting for one"
        return None

    def close(self) -> None:
        self._pool.shutdown(wait=False)
        self._client.close(timeout=CONNECT)


def lacks(error: BaseException) -> str | None:
    """What a scheduler or a worker that could not read a task lacks, if that was it."""
    root = error.__cause__ or error
    return str(root) if isinstance(root, ImportError | AttributeError) and "cardc" in str(root) else None


def packed(packages: Sequence[Path]) -> bytes:
    """Built packages in one: folders 0, 1, … of an archive; what their manifests list, and no cache."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for i, package in enumerate(packages):
            for name in [MANIFEST, *json.loads((package / MANIFEST).read_bytes())["files"]]:
                file.writestr(f"{i}/{name}", (package / name).read_bytes())
    return archive.getvalue()


_lock = threading.Lock()
_loaded: tuple[str, Any] | None = None


def play_sent(sender: str, digest: str, archive: bytes, call: dict[str, Any], seeds: range) -> Part:
    """Play in a worker, which may have threads: they take turns, as one at a time can run. Raises UsageError."""
    if sender != player():
        raise UsageError(f"a worker of the cluster has cardc {player()}, and this is {sender}: install the same")
    global _loaded
    with _lock:
        if _loaded is None or _loaded[0] != digest:
            _loaded = digest, _load(archive)
        return play(_loaded[1], call, seeds)


def _load(archive: bytes) -> Any:
    from cardc.cli.matches import load

    with TemporaryDirectory(prefix="cardc-") as folder, zipfile.ZipFile(io.BytesIO(archive)) as file:
        file.extractall(folder)
        packages = sorted(Path(folder).iterdir(), key=lambda path: int(path.name))
        return load((packages[0], packages[1:]))
