"""Building a game of 1,000 cards (`corpus.py`): at first, unchanged, and after one file of its cards has changed."""

import tempfile
import time
from pathlib import Path

from cardc.pipeline import build
from corpus import write

CARDS, PER_FILE = 1000, 50


def cpu(source: Path, target: Path) -> float:
    start = time.process_time()
    build(source, target)
    return time.process_time() - start


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "corpus", Path(folder) / "build"
        source.mkdir()
        write(source, CARDS, PER_FILE)
        first = cpu(source, target)
        unchanged = min(cpu(source, target) for _ in range(3))
        changed = next(source.glob("cards_*.card"))
        changed.write_text(changed.read_text(encoding="utf-8") + "\n// changed\n", encoding="utf-8")
        one = cpu(source, target)
    print(f"{CARDS} cards, at first  {first:5.2f} s of CPU")
    print(f"unchanged            {unchanged:5.2f} s   {unchanged / first:.2f} of the first")
    print(f"one file changed     {one:5.2f} s   {one / first:.2f} of the first")


if __name__ == "__main__":
    main()
