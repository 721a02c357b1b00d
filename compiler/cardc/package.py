"""Packages on disk: which files are of one, and how a built one is written.

A package of sources is a folder with a `game` or an `expansion` declaration. A built package is written whole beside
its place and then swapped in, so whoever reads it, and whatever ends the writer, finds the earlier one or the new one.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import re
import shutil
import stat
import sys
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Protocol

from msgspec import Struct, field

FORMAT = 4
MANIFEST = "manifest.json"
CACHE = "cache"
LOCK = "ids.lock"
SOURCES = (".card", ".card.json")

_DECLARES = re.compile(rb"^(?:\xef\xbb\xbf)?(?:game|expansion)[ \t]", re.MULTILINE)
_NAMED = re.compile(rb"^(?:\xef\xbb\xbf)?(?:game|expansion)[ \t]+([^ \t\r\n]+)", re.MULTILINE)
_DECLARES_GAME = re.compile(rb"^(?:\xef\xbb\xbf)?game[ \t]", re.MULTILINE)
_JSON_FORM = {_DECLARES: re.compile(rb'"(?:GameDecl|ExpansionDecl)"'), _DECLARES_GAME: re.compile(rb'"GameDecl"')}
# Paths of a package are the same on all systems, and stand on a line.
_UNFIT = re.compile(r"[\x00-\x1f\x7f-\x9f\\\u2028\u2029]")
# What systems and interpreters leave in any folder, and nobody misses.
_LITTER = frozenset({"__pycache__", ".DS_Store", "Thumbs.db", "desktop.ini"})
# A pipe without a writer is opened at once, and is then seen to be no regular file.
_TO_READ = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
_MAKING = frozenset({".py", ".json", ".j2"})


class UsageError(Exception):
    """The command cannot be carried out as it was given. Its text is one line for the user; the exit status is 2."""


def _reason(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()


# ---- Sources


def read_folder(folder: Path) -> list[tuple[str, bytes]]:
    """Read all `*.card` and `*.card.json` of the package in `folder`, and its `ids.lock`, sorted by path.

    Paths are relative to `folder`, with `/`. Left out are hidden files and folders, and sub-folders that declare a
    package of their own or hold a built one. No folder is read twice, whatever links lead to it. Raises UsageError
    where something cannot be read."""
    return read_tree(folder)[0]


class Tree(Struct):
    """How a package lies on disk: of each file, by path, its name with its folders and its status before it was read;
    the names of the folders in each folder, by prefix; the folders left out, with the file that declares a package
    (None: they hold a built one). `links`: some lead to folders."""

    files: dict[str, tuple[str, os.stat_result]] = field(default_factory=dict)
    folders: dict[str, list[str]] = field(default_factory=dict)
    left: dict[str, str | None] = field(default_factory=dict)
    links: bool = False


def read_tree(folder: Path) -> tuple[list[tuple[str, bytes]], Tree]:
    """Like `read_folder`, with how it lies on disk."""
    found: list[tuple[str, bytes]] = []
    tree = Tree()
    for prefix, contents in _folders(folder, prune=True, tree=tree):
        found.extend((prefix + name, content) for name, content in contents)
    if found and (folder / LOCK).is_file():
        tree.files[LOCK] = LOCK, (folder / LOCK).stat()
        found.append((LOCK, _read(folder / LOCK)))
    return sorted(found), tree


def own_files(files: Sequence[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
    """Of the files of a tree, by path, those that `read_folder` would read of it: no hidden ones, and none of packages
    in sub-folders."""
    by_folder: dict[str, list[tuple[str, bytes]]] = {}
    for path, data in files:
        if not any(part.startswith(".") for part in path.split("/")):
            by_folder.setdefault(path.rpartition("/")[0], []).append((path, data))
    others = tuple(f"{folder}/" for folder, contents in by_folder.items() if folder and _declares(contents))
    return sorted(x for contents in by_folder.values() for x in contents if not x[0].startswith(others))


def find_packages(root: Path) -> list[Path]:
    """Find the folders under `root`, itself included, that declare a package; sorted by path."""
    found = [prefix for prefix, contents in _folders(root, prune=False) if _declares(contents)]
    return [root / prefix for prefix in sorted(found)]


def without_cards(folder: Path) -> UsageError:
    """What to say of a folder that holds no source of its own: which packages lie in it."""
    inside = [str(path) for path in find_packages(folder)]
    if not inside:
        return UsageError(f"{folder} holds no .card file")
    some = ", ".join(inside[:5]) + (", …" if len(inside) > 5 else "")
    return UsageError(f"{folder} is no package, but holds some: name one of {some}")


def package_of(path: Path) -> Path:
    """Find the package that the file or folder `path` is of: the nearest folder, upwards, that declares one.

    Raises UsageError where there is none."""
    where = Path(os.path.abspath(path))
    found = _nearest(where if path.is_dir() else where.parent, _DECLARES)
    if found is None:
        raise UsageError(f"{path} is in no package: no folder above it has a `game` or an `expansion` declaration")
    return found


def game_around(folder: Path) -> Path | None:
    """Find the game that an expansion in `folder` lies in: the nearest folder above it that declares one."""
    return _nearest(folder.resolve().parent, _DECLARES_GAME)


def _nearest(folder: Path, declares: re.Pattern[bytes]) -> Path | None:
    """The nearest folder, `folder` or one above it, with such a declaration.

    Whatever lies about in the home folder, the one for temporary files or the root of the disk is no package of what is
    deeper down."""
    import tempfile

    shared = {Path(os.path.expanduser("~")), Path(os.path.realpath(tempfile.gettempdir())), Path(folder.anchor)}
    for above in (folder, *folder.parents):
        if above != folder and above in shared:
            return None
        with contextlib.suppress(UsageError, OSError):
            if _declares(_contents(above, _scan(above)[0]), declares):
                return above
    return None


def _folders(
    root: Path, *, prune: bool, tree: Tree | None = None
) -> Iterator[tuple[str, list[tuple[str, bytes]]]]:
    """The folders of the tree with the sources right in them; with `prune`, without packages below the root.

    Real folders come before linked ones, so that a folder that can be reached twice keeps its own name."""
    if not root.is_dir():
        raise UsageError(f"no such folder: {root}" if not root.exists() else f"not a folder: {root}")
    seen: set[tuple[int, int]] = set()
    tree = tree or Tree()
    folders, links = [""], [""][:0]
    while folders or links:
        if not folders:
            links.sort(reverse=True)
        prefix = (folders or links).pop()
        folder = root / prefix
        try:
            status = folder.stat()
        except OSError as error:
            raise UsageError(f"cannot read {folder}: {_reason(error)}") from None
        if (status.st_dev, status.st_ino) in seen:
            continue
        seen.add((status.st_dev, status.st_ino))
        names, real, linked = _scan(folder)
        if prefix and holds_built(folder):
            tree.left[prefix] = None  # It holds a copy of its sources.
            continue
        contents = _contents(folder, names, prefix, tree)
        if prune and prefix and _declares(contents):
            tree.left[prefix] = next(name for name, text in contents if _declares([(name, text)]))
            continue
        if prune and contents:
            _fit(folder, prefix)
        yield printable(prefix), contents
        tree.folders[prefix] = sorted(real)
        tree.links = tree.links or bool(linked)
        folders.extend(f"{prefix}{name}/" for name in real)
        links.extend(f"{prefix}{name}/" for name in linked)


def _scan(folder: Path) -> tuple[list[str], list[str], list[str]]:
    """The names right in a folder: sources, folders, and links to folders; hidden ones are left out."""
    files: list[str] = []
    folders: list[str] = []
    links: list[str] = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.startswith("."):
                    continue
                if _is_dir(entry):
                    (links if entry.is_symlink() else folders).append(entry.name)
                elif entry.name.endswith(SOURCES):
                    files.append(entry.name)
    except OSError as error:
        raise UsageError(f"cannot read {folder}: {_reason(error)}") from None
    return files, folders, links


def _is_dir(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False  # A link to itself: whoever reads it will say so.


def _contents(
    folder: Path, names: list[str], prefix: str = "", tree: Tree | None = None
) -> list[tuple[str, bytes]]:
    found: list[tuple[str, bytes]] = []
    for name in names:
        _fit(folder, name)
    where, before = os.path.join(folder, ""), printable(prefix)
    for name in sorted(names):
        content, status = _read_status(where + name)
        shown = printable(name)
        found.append((shown, content))
        if tree is not None:
            tree.files[before + shown] = prefix + name, status
    return found


def _fit(folder: Path, name: str) -> None:
    """Raise UsageError for a name that cannot be a path in a package."""
    if _UNFIT.search(name):
        where = folder if name.endswith("/") else folder / name
        raise UsageError(f"cannot read {where}: its name holds a backslash or a control character; rename it")


def _read(path: Path) -> bytes:
    return _read_status(os.fspath(path))[0]


def read_file(path: Path) -> bytes:
    """What is in a file, of whatever sort. Raises UsageError."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {path}: {_reason(error)}") from None


def _read_status(path: str) -> tuple[bytes, os.stat_result]:
    """The content of a file, and its status before it was read."""
    try:
        handle = os.open(path, _TO_READ)
        try:
            status = os.fstat(handle)
            if not stat.S_ISREG(status.st_mode):
                raise UsageError(f"cannot read {path}: not a regular file")
            content = os.read(handle, status.st_size + 1)
            if len(content) != status.st_size:
                while more := os.read(handle, max(status.st_size - len(content), 0) + 1):
                    content += more
        finally:
            os.close(handle)
        return content, status
    except OSError as error:
        if error.errno == errno.ENXIO:
            raise UsageError(f"cannot read {path}: not a regular file") from None
        raise UsageError(f"cannot read {path}: {_reason(error)}") from None


def write_file(path: Path, data: bytes) -> None:
    """Write a file whole: beside its place first, then into it. Raises UsageError."""
    import tempfile

    target = path.resolve()
    if target.exists() and not (target.is_file() or target.is_dir()):  # a device would be gone, and a file in its place
        raise UsageError(f"cannot write {path}: not a regular file")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            os.chmod(name, target.stat().st_mode & 0o7777 if target.exists() else 0o644)
            os.replace(name, target)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise UsageError(f"cannot write {path}: {_reason(error)}") from None


def printable(name: str) -> str:
    """A file name that is not UTF-8, with its odd bytes written out."""
    return name if name.isascii() else name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _declares(contents: list[tuple[str, bytes]], form: re.Pattern[bytes] = _DECLARES) -> bool:
    return any((_JSON_FORM[form] if name.endswith(".json") else form).search(text) for name, text in contents)


def declares_package(name: str, content: bytes) -> bool:
    """Whether a file declares a package."""
    return _declares([(name, content)])


def holds_built(folder: Path) -> bool:
    """Whether a folder holds a built package."""
    return (folder / MANIFEST).is_file() and _listed(folder / MANIFEST) is not None


def is_fit(name: str) -> bool:
    """Whether a name can be a path in a package."""
    return _UNFIT.search(name) is None


def declares_game(files: list[tuple[str, bytes]]) -> bool:
    """Whether sources are those of a game, rather than of an expansion."""
    return _declares(files, _DECLARES_GAME)


def declared_id(files: Sequence[tuple[str, bytes]]) -> str | None:
    """The id of a package, as far as that is told without parsing."""
    for _, text in files:
        if (found := _NAMED.search(text)) is not None:
            return found[1].decode("utf-8", "replace")
    return None


def declared_at(files: Sequence[tuple[str, bytes]]) -> tuple[str, int]:
    """The file and line in which a package is declared; the first line of the first file where none does so in text."""
    for name, text in files:
        if not name.endswith(".json") and (found := _DECLARES.search(text)):
            return name, text.count(b"\n", 0, found.start()) + 1
    return files[0][0], 1


# ---- Built packages


@cache
def compiler_digest() -> str:
    """The SHA-256 of what makes packages of sources: the compiler, the tables of its grammar, and the runtime, which
    judges decks and says how a package is laid out.

    Two compilers of one version may differ while somebody works on one; what the other has built is then built anew."""
    from card_runtime.digests import runtime_digest  # pytest's plugin loads this module wherever it is installed

    digest = hashlib.sha256(runtime_digest().encode())
    for package in ("cardc", "card_grammar"):
        folder = Path(str(import_module(package).__file__)).parent
        for file in sorted(f for f in folder.rglob("*") if f.suffix in _MAKING):
            digest.update(file.relative_to(folder).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


def manifest(files: Mapping[str, bytes], identity: Mapping[str, object]) -> bytes:
    """Make the manifest of a package: its format, its identity, and the SHA-256 of each file; the same for the same."""
    digests = {path: hashlib.sha256(content).hexdigest() for path, content in files.items() if path != MANIFEST}
    return manifest_of(digests, identity)


def manifest_of(digests: Mapping[str, str], identity: Mapping[str, object]) -> bytes:
    """Make the manifest of a package from the digests of its files."""
    document = {"files": dict(digests), "format": FORMAT, "identity": dict(identity)}
    return (json.dumps(document, indent=1, sort_keys=True) + "\n").encode()


class Held(Protocol):
    """Files of a package that are still with whoever made them, by their paths."""

    def __contains__(self, name: object, /) -> bool: ...
    def __getitem__(self, name: str, /) -> bytes: ...
    def __iter__(self) -> Iterator[str]: ...
    def __len__(self) -> int: ...
    def write(self, folder: Path) -> None: ...


class PackageFiles(Mapping[str, bytes]):
    """The files of a built package. Those of `kept` lie in the package in `folder`, under the paths given, and are read
    if somebody asks for them, as those that are `held` are asked for."""

    def __init__(self, made: dict[str, bytes], folder: Path, kept: dict[str, str], held: Held | None = None) -> None:
        self.made = made
        self.folder = folder
        self.kept = kept
        self.held = held

    def __getitem__(self, name: str) -> bytes:
        if name in self.made:
            return self.made[name]
        if self.held is not None and name in self.held:
            return self.held[name]
        return (self.folder / self.kept[name]).read_bytes()

    def __iter__(self) -> Iterator[str]:
        yield from self.made
        yield from self.kept
        yield from self.held or ()

    def __len__(self) -> int:
        return len(self.made) + len(self.kept) + len(self.held or ())

    def write(self, out: Path) -> None:
        """Write the package, and go by what lies in `out` from there on. Raises what `write_package` does."""
        write_package(out, self.made, self.kept, self.held)
        self.folder, self.kept = out, {path: path for path in (*self.kept, *(self.held or ()))}
        self.held = None


def write_package(
    out: Path, files: Mapping[str, bytes], kept: Mapping[str, str] | None = None, held: Held | None = None
) -> bool:
    """Make the folder `out` hold exactly `files`, by relative paths with `/`, its manifest among them, those that are
    `held`, and `kept`: files of the package that lies there, by their new paths, which are known to be whole.

    Returns False where it did already, and then writes nothing. The swap is one step where the system has such a
    step; elsewhere a kill in mid-swap leaves the earlier package beside `out`, and the next build puts it back.
    What is in `out/cache` is kept: it is known by what it was made of. Raises UsageError, `out` untouched, where
    `out` is something other than a package, or cannot be written; Superseded where it holds other files than `kept`."""
    kept = kept or {}
    for path in (*files, *kept, *(held or ())):
        if path.startswith("/") or "\\" in path or not all(p not in ("", ".", "..") for p in path.split("/")):
            raise ValueError(f"{path!r} is no path in a package")
    shown, out = out, Path(os.path.realpath(out))
    if not out.name:
        raise UsageError(f"cannot write {shown}: it is the root of the disk")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with _locked(out.with_name(f".{out.name}.lock")):
            return _write_locked(out, files, kept, held)
    except _Refused as error:
        raise UsageError(f"cannot write {shown}: {error}") from None
    except OSError as error:
        raise UsageError(f"cannot write {shown}: {_reason(error)}") from None


class _Refused(Exception):
    """What stands in the place is not to be replaced."""


class Superseded(Exception):
    """Another build has replaced the package of which files were to be kept."""


def _write_locked(out: Path, files: Mapping[str, bytes], kept: Mapping[str, str], held: Held | None) -> bool:
    new = out.with_name(f".{out.name}.new")
    old = out.with_name(f".{out.name}.old")
    # What killed builds left: an earlier package that waits to go back, or to go away, and a new one that is not whole.
    if old.is_dir() and not out.exists():
        old.rename(out)
    _remove(old)
    _remove(new)
    paths = {*files, *kept, *(held or ())}
    present = _present(out, paths)
    if kept and not _are_there(out, kept, files[MANIFEST]):
        raise Superseded
    if present == paths and _holds(out, files[MANIFEST]):
        return False
    try:
        for folder in {os.path.dirname(path) for path in paths}:
            (new / folder).mkdir(parents=True, exist_ok=True)
        for path, was in kept.items():
            _link(f"{out}/{was}", f"{new}/{path}")
        for path, content in files.items():
            (new / path).write_bytes(content)
        if held is not None:
            held.write(new)
        if not out.exists():
            new.rename(out)
            return True
        if _exchange(new, out):
            old = new
        else:
            out.rename(old)
            new.rename(out)
    except BaseException:
        if old.is_dir() and not out.exists():
            old.rename(out)
        _remove(new)
        raise
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
        _keep_cache(old, out)
    _remove(old)
    return True


def _keep_cache(old: Path, out: Path) -> None:
    """Take over the cache."""
    if not (old / CACHE).is_symlink():
        (old / CACHE).rename(out / CACHE)


def _are_there(out: Path, kept: Mapping[str, str], manifest: bytes) -> bool:
    """Whether the package in `out` lists the kept files as the new manifest does: both tell the truth."""
    try:
        listed, wanted = (json.loads(text)["files"] for text in ((out / MANIFEST).read_bytes(), manifest))
        return all(listed[was] == wanted[path] for path, was in kept.items())
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _holds(out: Path, manifest: bytes) -> bool:
    """Whether `out` holds a package with this manifest, and holds it whole."""
    if (out / MANIFEST).read_bytes() != manifest:
        return False
    listed = json.loads(manifest)["files"]
    return all(hashlib.sha256((out / path).read_bytes()).hexdigest() == digest for path, digest in listed.items())


def _link(path: str, new: str) -> None:
    """Make a file of the earlier package one of the new: the same one where the system can do that."""
    try:
        os.link(path, new)
    except OSError:
        shutil.copyfile(path, new)


def _present(out: Path, files: Set[str]) -> set[str]:
    """The paths of the package in `out`, without its cache; _Refused where anything in it is no part of a package."""
    if not out.exists():
        return set()
    if not out.is_dir():
        raise _Refused("it is a file, not a folder")
    if not os.access(out, os.W_OK):
        raise _Refused("permission denied")
    names = set(os.listdir(out)) - _LITTER
    if not names:
        return set()
    listed = _listed(out / MANIFEST) if MANIFEST in names else None
    if listed is None:
        raise _Refused("it is not empty and holds no built game, so nothing there is replaced")
    known = listed | {MANIFEST} | files
    paths: list[str] = []
    for folder, folders, leaves in os.walk(out):
        at = "" if Path(folder) == out else f"{Path(folder).relative_to(out).as_posix()}/"
        links = [name for name in folders if Path(folder, name).is_symlink()]
        folders[:] = [n for n in folders if n not in _LITTER and n not in links and at + n != CACHE]
        paths += [at + name for name in (*leaves, *links) if name not in _LITTER]
    for path in sorted(paths):
        if path not in known and path != CACHE:
            raise _Refused(f"it holds {path}, which is no part of the built game, so nothing there is replaced")
    return {path for path in paths if os.path.isfile(f"{out}/{path}")}


def _listed(path: Path) -> set[str] | None:
    """The paths that a manifest lists: none if it is damaged, None if it is another program's."""
    try:
        document = json.loads(path.read_bytes())
    except (ValueError, OSError):
        return set()
    if isinstance(document, dict) and isinstance(document.get("files"), dict) and "format" in document:
        return set(document["files"])
    return None


def _remove(folder: Path) -> None:
    """Remove a folder as far as possible; what is left is removed by the next build."""
    shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def _locked(lock: Path) -> Iterator[None]:
    """Hold the lock file, waiting for other builds into the same folder; it is gone afterwards.

    A lock whose holder was killed is free. Without `fcntl` (Windows) nothing is locked."""
    if sys.platform == "win32":
        yield
        return
    import fcntl

    while True:
        handle = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            if not _is_file(handle, lock):
                continue  # The one before has removed the file while this one waited for it.
            try:
                yield
            finally:
                lock.unlink(missing_ok=True)
            return
        finally:
            os.close(handle)


def _is_file(handle: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False


def _exchange(a: Path, b: Path) -> bool:
    """Exchange two folders in one step; False where the system has no such step."""
    import ctypes

    first, second = os.fsencode(a), os.fsencode(b)
    try:
        library = ctypes.CDLL(None, use_errno=True)
        if sys.platform == "linux":
            at_cwd, exchange = -100, 2
            return bool(library.renameat2(at_cwd, first, at_cwd, second, exchange) == 0)
        if sys.platform == "darwin":
            swap = 2
            return bool(library.renamex_np(first, second, swap) == 0)
    except (OSError, AttributeError, TypeError):
        pass
    return False
