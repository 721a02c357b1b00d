"""What becomes of an exception in a game's code: an end of the match, a limit's outcome, or a fault with its place.

A fault inside a card or a frame is a `CardFault` that says the `.card` file, the line and the card; the exception it
came from is its cause, with the lines of the `.card` files in its traceback. Exceptions of the host's own code (a
source of chance, a bot) go on as they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, NoReturn

from card_runtime import sight
from card_runtime.errors import CardError, CardFault, Endless, Over, Overrun
from card_runtime.model import MOVERS, OF_CARDS

if TYPE_CHECKING:
    from card_runtime.state import State

_HERE = str(Path(__file__).parent)
_SOURCES = (".card", ".card.json")
_WORDS = {
    "IndexError": "an index lies outside its list",
    "ZeroDivisionError": "a division by 0",
    "MemoryError": "the memory does not suffice",
}


# ---- What ends a match


def settle(m: State, error: Exception) -> None:
    """End the match as `error` says, which left its code; a fault is raised with its place."""
    from card_runtime.driver import over, stopped

    match error:
        case Over():
            over(m)
        case Overrun():
            stopped(m, error, at_work(m, error))
        case RecursionError():
            stopped(m, Overrun("abilities and effects go too deep"), at_work(m, error))
        case _:
            located(m.game, error)


def at_work(m: State, error: Exception) -> list[str]:
    """The cards whose abilities were at work, outermost first, each once: what was waiting, and what was running."""
    found: list[str | None] = []
    for f in m.frames:
        if f[0] in ("·instead", "·offer"):
            found.append(m.game.lines[f[2]].card if f[0] == "·instead" else None)
        else:
            found.append(card_of(m.game, f[0]))
    found += [card_of(m.game, frame.f_code.co_name) for frame, _ in _frames(error) if _is_source(frame)]
    if isinstance(error, Overrun) and error.line is not None:
        found.append(error.line.card)
    if isinstance(error, Endless) and not any(found):
        found += latest(m)
    return list(dict.fromkeys(card for card in found if card))


def latest(m: State, most: int = 3) -> list[str]:
    """The cards that lie open and came onto a board last, in printed order: with them a match has gone on and on."""
    seen = [card for card in range(len(m.d)) if m.age[card] and sight.lies_open(m, card)]
    played = sorted(seen, key=lambda card: m.age[card], reverse=True)
    return [m.printed[d].id for d in sorted(list(dict.fromkeys(m.d[card] for card in played))[:most])]


# ---- Faults


def located(game: Any, error: Exception) -> NoReturn:
    """Raise the CardFault that an exception out of a game's code is, or the exception itself (see `fault`)."""
    found = fault(game, error)
    if found is error:
        raise error
    raise found from error


def fault(game: Any, error: Exception) -> Exception:
    """The CardFault that an exception out of a game's code is; the exception itself where it is the host's own."""
    if isinstance(error, CardFault):
        if error.file is not None:
            return error
    elif isinstance(error, CardError):
        return error
    frames = list(_frames(error))
    sources = [(frame, line) for frame, line in frames if _is_source(frame)]
    if not sources or not (_is_source(frames[-1][0]) or frames[-1][0].f_code.co_filename.startswith(_HERE)):
        return error
    # What fails where a card is moved is the fault of the line that moves it.
    rules = [at for at in sources if not at[0].f_code.co_name.startswith(MOVERS)] or sources
    file, line = rules[-1][0].f_code.co_filename, rules[-1][1]
    cards = [card for frame, _ in sources if (card := card_of(game, frame.f_code.co_name)) is not None]
    title = title_of(game, cards[-1]) if cards else None
    said = str(error) if isinstance(error, CardFault) else _words(error)
    of = f" ({title})" if title else ""
    return CardFault(f"{file}:{line}{of}: {said}", file, line, title)


def of_host(error: Exception) -> bool:
    """Whether an exception was raised in code of the host: neither in the game's nor in the runtime's."""
    *_, (frame, _line) = _frames(error)
    file = frame.f_code.co_filename
    return not (_is_source(frame) or file.startswith(_HERE) or file == "<string>")


def _words(error: Exception) -> str:
    name = type(error).__name__
    text = " ".join(str(error).split())
    return _WORDS.get(name, f"the rules cannot be carried out ({name}: {text})")


def _frames(error: BaseException) -> Iterator[tuple[FrameType, int]]:
    """The frames an exception came through, outermost first, each with its line."""
    at = error.__traceback__
    while at is not None:
        yield at.tb_frame, at.tb_lineno
        at = at.tb_next


def _is_source(frame: FrameType) -> bool:
    return frame.f_code.co_filename.endswith(_SOURCES)


def card_of(game: Any, name: str) -> str | None:
    """The card whose line or slot a generated function carries out; None where it is the frame's."""
    found = OF_CARDS.match(name)
    if found is None:
        return None
    rest = name[found.end() :]
    line = game.lines.get(rest)
    if line is not None:
        return str(line.card)
    card, _, slot = rest.rpartition("·")
    card = card.replace("·", "/")  # of a form
    return card if (card, slot) in game.slot_code else None


def title_of(game: Any, card: str) -> str:
    return next((str(c.title) for c in game.model.cards if c.id == card), card)
