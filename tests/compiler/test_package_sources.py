"""Which files are of a package."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from cardc.package import UsageError, find_packages, game_around, package_of, read_folder


def write(root: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text.encode())


def test_a_folder_with_all_its_sub_folders_but_other_packages(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "frame.card": 'game g "G" {}',
            "a.card.json": "{}",
            "units/sun/z.card": "card z",
            "units/a.card": "card a",
            "units/notes.txt": "game of chess",
            "winter/pack.card": '\n// the winter\nexpansion winter "W" for g {}',
            "winter/units/b.card": "card b",
            "other/frame.card": '\ufeffgame h "H" {}',
            "inside/x.card": ' game is not in column 1\n"game "\ngames: 1',
            "json/x.card.json": '[{"node": "GameDecl"}]',
            ".hidden/c.card": "card c",
            "units/.#a.card": "an editor's lock",
            "x.cards": "no",
        },
    )
    assert [path for path, _ in read_folder(tmp_path)] == [
        "a.card.json",
        "frame.card",
        "inside/x.card",
        "units/a.card",
        "units/sun/z.card",
    ]
    assert dict(read_folder(tmp_path))["units/a.card"] == b"card a"
    assert [path for path, _ in read_folder(tmp_path / "winter")] == ["pack.card", "units/b.card"]
    assert find_packages(tmp_path) == [tmp_path, tmp_path / "json", tmp_path / "other", tmp_path / "winter"]
    assert find_packages(tmp_path / "units") == []
    assert package_of(tmp_path / "units" / "sun" / "z.card") == tmp_path
    assert package_of(tmp_path / "winter" / "units" / "b.card") == tmp_path / "winter"
    assert package_of(tmp_path / "units") == tmp_path


def test_a_built_game_in_the_folder_is_no_source(tmp_path: Path) -> None:
    write(tmp_path, {"frame.card": "game g", "units/a.card": "card a", "units/manifest.json": "{}"})
    write(tmp_path, {"build/g/manifest.json": '{"files": {}, "format": 1}', "build/g/source/frame.card": "game g"})
    assert [path for path, _ in read_folder(tmp_path)] == ["frame.card", "units/a.card"]
    assert find_packages(tmp_path) == [tmp_path]


def test_crlf_and_bytes_that_are_no_text(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "a.card").write_bytes(b"\xff\xfe\x00game \r\ngame\tg\r\n")
    (tmp_path / "sub" / "b.card").write_bytes(b"card b\r\ngame g\r\n")
    assert [path for path, _ in read_folder(tmp_path)] == ["a.card"]
    assert find_packages(tmp_path) == [tmp_path, tmp_path / "sub"]


def test_links_in_circles(tmp_path: Path) -> None:
    write(tmp_path, {"frame.card": "game g", "a/b/x.card": "card x"})
    (tmp_path / "a" / "b" / "up").symlink_to(tmp_path)
    (tmp_path / "a" / "self").symlink_to(tmp_path / "a")
    (tmp_path / "0_link").symlink_to(tmp_path / "a" / "b")
    assert [path for path, _ in read_folder(tmp_path)] == ["a/b/x.card", "frame.card"]
    outside = tmp_path.parent / f"{tmp_path.name}_outside"
    write(outside, {"y.card": "card y"})
    (tmp_path / "linked").symlink_to(outside)
    assert [path for path, _ in read_folder(tmp_path)] == ["a/b/x.card", "frame.card", "linked/y.card"]


def test_a_deep_tree(tmp_path: Path) -> None:
    here = os.getcwd()
    try:
        os.chdir(tmp_path)
        for _ in range(1200):
            os.mkdir("d")
            os.chdir("d")
        os.chdir(here)
        write(tmp_path, {"frame.card": "game g"})
        assert [path for path, _ in read_folder(tmp_path)] == ["frame.card"]
    finally:
        # pytest cleans up by recursion, which does not reach so deep.
        os.chdir(here)
        subprocess.run(["rm", "-rf", str(tmp_path / "d")], check=True)


@pytest.mark.parametrize("odd", ["loop", "dangling", "fifo"])
def test_what_cannot_be_read_is_one_line(tmp_path: Path, odd: str) -> None:
    write(tmp_path, {"frame.card": "game g"})
    path = tmp_path / "x.card"
    match odd:
        case "loop":
            path.symlink_to(path)
        case "dangling":
            path.symlink_to(tmp_path / "nowhere")
        case _:
            os.mkfifo(path)
    with pytest.raises(UsageError, match=r"cannot read .*x\.card: ") as error:
        read_folder(tmp_path)
    assert "\n" not in str(error.value)


def test_no_folder(tmp_path: Path) -> None:
    write(tmp_path, {"x.card": "card x"})
    with pytest.raises(UsageError, match="no such folder"):
        read_folder(tmp_path / "nowhere")
    with pytest.raises(UsageError, match="not a folder"):
        read_folder(tmp_path / "x.card")
    with pytest.raises(UsageError, match="is in no package"):
        package_of(tmp_path / "x.card")


def test_a_name_that_is_not_utf_8(tmp_path: Path) -> None:
    name = os.fsencode(tmp_path) + b"/b\xff.card"
    with open(name, "wb") as file:
        file.write(b"game g")
    assert read_folder(tmp_path) == [("b\\xff.card", b"game g")]


@pytest.mark.parametrize("closed", ["folder", "sub", "file"])
def test_what_another_user_may_not_read(closed: str) -> None:
    base = Path(subprocess.check_output(["mktemp", "-d"], text=True).strip())
    try:
        base.chmod(0o755)
        write(base, {"g/frame.card": "game g", "g/sub/x.card": "card x"})
        {"folder": base / "g", "sub": base / "g/sub", "file": base / "g/sub/x.card"}[closed].chmod(0)
        script = (
            "import os, sys\nfrom pathlib import Path\nfrom cardc.package import *\n"
            "if os.geteuid() == 0:\n    os.setgroups([]); os.setgid(65534); os.setuid(65534)\n"
            "try:\n    print(read_folder(Path(sys.argv[1])))\nexcept UsageError as error:\n    print(error)\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", script, str(base / "g")], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith("cannot read ") and done.stdout.endswith(": permission denied\n")
        assert done.stdout.count("\n") == 1
    finally:
        subprocess.run(["chmod", "-R", "u+rwX", str(base)], check=True)
        subprocess.run(["rm", "-rf", str(base)], check=True)


@pytest.mark.parametrize("shared", ["home", "temporary"])
def test_what_lies_about_in_a_shared_folder_is_no_package_of_what_is_deeper(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shared: str
) -> None:
    write(tmp_path, {"all/game.card": 'game g "G" {}', "all/own/x.card": "card x", "all/own/deep/y.card": "card y"})
    assert package_of(tmp_path / "all/own/x.card") == tmp_path / "all"
    assert game_around(tmp_path / "all/own/deep") == tmp_path / "all"
    if shared == "home":
        monkeypatch.setenv("HOME", str(tmp_path / "all"))
    else:
        monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "all"))
    with pytest.raises(UsageError, match="is in no package"):
        package_of(tmp_path / "all/own/x.card")
    assert game_around(tmp_path / "all/own/deep") is None
    assert package_of(tmp_path / "all/game.card") == tmp_path / "all"  # It lies there itself.
