"""Built packages on disk: whole or not at all, whatever happens to the writer."""

import json
import random
import resource
import signal
import subprocess
import sys
import textwrap
import time
from hashlib import sha256
from pathlib import Path

import pytest
from cardc import package
from cardc.package import UsageError, manifest, write_package


def files(version: int, size: int = 10) -> dict[str, bytes]:
    """A package whose every file tells its version."""
    made = {f"parts/part_{i}.py": f"# {version} {i}\n".encode() * 50 for i in range(size)}
    made["data.json"] = json.dumps({"version": version}).encode()
    made["manifest.json"] = manifest(made, {"id": "g", "version": str(version)})
    return made


def on_disk(out: Path) -> dict[str, bytes]:
    return {p.relative_to(out).as_posix(): p.read_bytes() for p in out.rglob("*") if p.is_file()}


def version_of(out: Path) -> int:
    """The version of a package that is whole; an assertion fails if it is not."""
    found = on_disk(out)
    listed = json.loads(found.pop("manifest.json"))["files"]
    assert {path: sha256(content).hexdigest() for path, content in found.items()} == listed
    return int(json.loads(found["data.json"])["version"])


def run(script: str, *args: object) -> subprocess.CompletedProcess[str]:
    """Run Python code that can import this module as `t`."""
    head = f"import sys\nsys.path.insert(0, {str(Path(__file__).parent)!r})\nimport test_package_writing as t\n"
    code = head + "from pathlib import Path\nfrom cardc.package import *\n" + textwrap.dedent(script)
    command = [sys.executable, "-c", code, *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


# ---- The manifest


def test_a_manifest_lists_what_is_in_the_package_and_is_the_same_for_the_same() -> None:
    some = {"b.py": b"b", "a/é.json": b"a"}
    text = manifest(some, {"version": "1", "id": "g"})
    assert text == manifest(dict(reversed(some.items())), {"id": "g", "version": "1"})
    assert text.isascii() and text.endswith(b"}\n")
    assert json.loads(text) == {
        "files": {"a/é.json": sha256(b"a").hexdigest(), "b.py": sha256(b"b").hexdigest()},
        "format": package.FORMAT,
        "identity": {"id": "g", "version": "1"},
    }
    assert json.loads(manifest({**some, "manifest.json": b"old"}, {}))["files"].keys() == some.keys()


# ---- What is replaced, and what is not


def test_written_once_and_then_only_when_it_changes(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "down" / "game"
    assert write_package(out, files(1))
    assert version_of(out) == 1
    before = (out / "data.json").stat()
    assert not write_package(out, files(1))
    after = (out / "data.json").stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)
    assert write_package(out, files(2, size=3))
    assert on_disk(out) == files(2, size=3)
    assert [p.name for p in out.parent.iterdir()] == ["game"]


def test_damage_is_repaired(tmp_path: Path) -> None:
    out = tmp_path / "game"
    for damage in (
        lambda: (out / "data.json").write_bytes(b"{"),
        lambda: (out / "parts" / "part_3.py").unlink(),
        lambda: (out / "manifest.json").write_bytes(b""),
    ):
        write_package(out, files(1))
        damage()
        assert write_package(out, files(1))
        assert version_of(out) == 1


@pytest.mark.parametrize("prepare", ["missing", "empty", "litter"])
def test_a_place_that_is_free(tmp_path: Path, prepare: str) -> None:
    out = tmp_path / "game"
    if prepare != "missing":
        out.mkdir()
    if prepare == "litter":
        (out / ".DS_Store").write_bytes(b"x")
    assert write_package(out, files(1))
    assert version_of(out) == 1


@pytest.mark.parametrize(
    ("path", "content", "said"),
    [
        ("notes.txt", "mine", "holds no built game"),
        ("sub/empty/.keep", "", "holds no built game"),
        ("cache/mine.txt", "mine", "holds no built game"),
        ("manifest.json", '{"name": "a web page"}', "holds no built game"),
        ("manifest.json", '{"files": {}, "format": 1}|notes.txt', "holds notes.txt"),
        ("manifest.json", "damaged|code/mine.py", "holds code/mine.py"),
    ],
)
def test_what_is_no_package_stays_as_it_is(tmp_path: Path, path: str, content: str, said: str) -> None:
    out = tmp_path / "game"
    content, _, second = content.partition("|")
    for name in (path, second):
        if name:
            (out / name).parent.mkdir(parents=True, exist_ok=True)
            (out / name).write_text(content)
    before = on_disk(out)
    with pytest.raises(UsageError, match=said) as error:
        write_package(out, files(1))
    assert "\n" not in str(error.value)
    assert on_disk(out) == before
    assert [p.name for p in tmp_path.iterdir()] == ["game"]


def test_a_linked_folder_in_a_package_is_not_followed(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "thesis.txt").write_text("years of work")
    out = tmp_path / "game"
    write_package(out, files(1))
    (out / "link").symlink_to(precious)
    with pytest.raises(UsageError, match="holds link"):
        write_package(out, files(2))
    (out / "link").unlink()
    (out / "cache").symlink_to(precious)
    assert write_package(out, files(2))
    assert (precious / "thesis.txt").read_text() == "years of work"
    assert version_of(out) == 2


def test_odd_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(UsageError, match="it is a file"):
        write_package(tmp_path / "file", files(1))
    with pytest.raises(UsageError, match="file/game"):
        write_package(tmp_path / "file" / "game", files(1))
    with pytest.raises(UsageError):
        write_package(Path("/"), files(1))
    with pytest.raises(UsageError, match="too long"):
        write_package(tmp_path / ("x" * 250), files(1))
    (tmp_path / "link").symlink_to(tmp_path / "real")
    monkeypatch.chdir(tmp_path)
    assert write_package(Path("link"), files(1))
    assert (tmp_path / "link").is_symlink() and version_of(tmp_path / "real") == 1
    (tmp_path / "inside").mkdir()
    monkeypatch.chdir(tmp_path / "inside")
    assert write_package(Path(), files(1))
    assert version_of(tmp_path / "inside") == 1


@pytest.mark.parametrize("path", ["/etc/x", "../x", "a/../x", "a//x", "", "a\\x", "."])
def test_no_path_leaves_the_package(tmp_path: Path, path: str) -> None:
    with pytest.raises(ValueError, match="no path in a package"):
        write_package(tmp_path / "game", {path: b""})
    assert not list(tmp_path.iterdir())


def test_what_is_remembered_beside_a_package_is_kept(tmp_path: Path) -> None:
    """It is known by what it was made of, and tidied by whoever makes it."""
    out = tmp_path / "game"
    first = files(1)
    write_package(out, first)
    (out / "cache").mkdir()
    (out / "cache" / "compiled").write_bytes(b"x")
    assert not write_package(out, first)
    second = {**first, "data.json": b'{"version": 7}'}
    second["manifest.json"] = manifest(second, {})
    for package_files in (second, files(3)):
        assert write_package(out, package_files)
        assert (out / "cache" / "compiled").read_bytes() == b"x"


def test_files_of_the_earlier_package_are_taken_over(tmp_path: Path) -> None:
    """They may get other names, and are not written again."""
    out = tmp_path / "game"
    first, second = files(1, size=3), files(2, size=2)
    write_package(out, first)
    before = (out / "parts" / "part_1.py").stat()
    listed = {**second, "parts/part_7.py": first["parts/part_1.py"]}
    second["manifest.json"] = manifest(listed, {"id": "g", "version": "2"})
    moved = {"parts/part_7.py": "parts/part_1.py"}
    assert write_package(out, second, moved)
    assert (out / "parts" / "part_7.py").stat().st_ino == before.st_ino
    assert on_disk(out).keys() == {*second, *moved}
    assert not write_package(out, second, {"parts/part_7.py": "parts/part_7.py"})
    with pytest.raises(package.Superseded):  # by then it holds another package
        write_package(out, second, {"parts/part_7.py": "parts/part_0.py"})
    assert on_disk(out).keys() == {*second, *moved}


# ---- Without a step that exchanges two folders


def test_the_same_without_an_exchange(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(package, "_exchange", lambda a, b: False)
    out = tmp_path / "game"
    for version in (1, 2, 3):
        assert write_package(out, files(version))
        assert version_of(out) == version
        assert [p.name for p in tmp_path.iterdir()] == ["game"]


def test_a_failing_swap_puts_the_earlier_package_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(package, "_exchange", lambda a, b: False)
    out = tmp_path / "game"
    write_package(out, files(1))
    rename = Path.rename

    def fails(self: Path, target: Path) -> Path:
        if self.name.endswith(".new"):
            raise OSError(28, "No space left on device")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", fails)
    with pytest.raises(UsageError, match="no space left"):
        write_package(out, files(2))
    assert version_of(out) == 1
    assert [p.name for p in tmp_path.iterdir()] == ["game"]


def test_what_a_kill_in_mid_swap_left_is_put_back_first(tmp_path: Path) -> None:
    out = tmp_path / "game"
    write_package(out, files(1))
    out.rename(tmp_path / ".game.old")
    (tmp_path / ".game.new" / "code").mkdir(parents=True)
    (tmp_path / ".game.lock").write_text("")
    with pytest.raises(ValueError):
        write_package(out, {"../x": b""})
    assert not write_package(out, files(1))
    assert version_of(out) == 1
    assert [p.name for p in tmp_path.iterdir()] == ["game"]


# ---- Hard ends


def test_killed_at_random_moments(tmp_path: Path) -> None:
    out = tmp_path / "game"
    write_package(out, files(0, size=40))
    script = f"""
        import sys
        sys.path.insert(0, {str(Path(__file__).parent)!r})
        import test_package_writing as t
        from pathlib import Path
        sets = [t.files(v, size=40) for v in (1, 2)]
        print("ready", flush=True)
        for i in range(10**9):
            t.write_package(Path(sys.argv[1]), sets[i % 2])
    """
    chance = random.Random(1)
    seen = set()
    for _ in range(30):
        with subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(script), str(out)], stdout=subprocess.PIPE
        ) as writer:
            assert writer.stdout is not None
            writer.stdout.readline()
            time.sleep(chance.random() * 0.03)
            writer.send_signal(signal.SIGKILL)
        if not out.exists():
            # Only where the system cannot exchange two folders in one step.
            assert not package._exchange(tmp_path, tmp_path)
            (tmp_path / ".game.old").rename(out)
        seen.add(version_of(out))
    assert seen <= {0, 1, 2}
    write_package(out, files(9))
    assert version_of(out) == 9
    assert [p.name for p in tmp_path.iterdir()] == ["game"], "the next build cleans up"


def test_two_builds_into_one_folder(tmp_path: Path) -> None:
    out = tmp_path / "game"
    script = """
        import random
        for _ in range(40):
            t.write_package(Path(sys.argv[1]), t.files(random.randrange(100), size=20))
    """
    head = f"import sys\nsys.path.insert(0, {str(Path(__file__).parent)!r})\nimport test_package_writing as t\n"
    code = head + "from pathlib import Path\n" + textwrap.dedent(script)
    writers = [
        subprocess.Popen([sys.executable, "-c", code, str(out)], stderr=subprocess.PIPE, text=True) for _ in range(3)
    ]
    said = [writer.communicate(timeout=120)[1] for writer in writers]
    assert [writer.returncode for writer in writers] == [0, 0, 0], said
    assert 0 <= version_of(out) < 100
    assert [p.name for p in tmp_path.iterdir()] == ["game"]


def test_a_file_that_may_not_grow(tmp_path: Path) -> None:
    out = tmp_path / "game"
    write_package(out, files(1))
    script = """
        import resource
        big = t.files(2)
        big["parts/big.py"] = b"#" * 100_000
        resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, resource.RLIM_INFINITY))
        try:
            t.write_package(Path(sys.argv[1]), big)
        except UsageError as error:
            print(error)
    """
    done = run(script, out)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"cannot write {out}: file too large\n"
    assert version_of(out) == 1
    assert [p.name for p in tmp_path.iterdir()] == ["game"]
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != 50_000


@pytest.mark.parametrize("which", ["out", "parent"])
def test_a_place_that_may_not_be_written(which: str) -> None:
    # Another user must be able to come here: pytest's own folders are closed to him.
    base = Path(subprocess.check_output(["mktemp", "-d"], text=True).strip())
    try:
        base.chmod(0o777 if which == "out" else 0o755)
        out = base / "game"
        write_package(out, files(1))
        out.chmod(0o555)
        if which == "parent":
            base.chmod(0o555)
        # The interpreter may lie where only root reads: all that is imported is so before the user changes.
        script = """
            import ctypes, fcntl, os
            if os.geteuid() == 0:
                os.setgroups([])
                os.setgid(65534)
                os.setuid(65534)
            try:
                t.write_package(Path(sys.argv[1]), t.files(2))
            except UsageError as error:
                print(error)
        """
        done = run(script, out)
        assert done.returncode == 0, done.stderr
        assert done.stdout == f"cannot write {out}: permission denied\n"
        assert version_of(out) == 1
        assert sorted(p.name for p in base.iterdir()) == ["game"]
    finally:
        base.chmod(0o755)
        (base / "game").chmod(0o755)
        subprocess.run(["rm", "-rf", str(base)], check=True)
