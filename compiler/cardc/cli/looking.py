"""What `check` and `lint` share: they look at a package, mend what they may, and say what is left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardc.cli.output import Output, Target, name_of, status_of

if TYPE_CHECKING:
    from cardc.findings import Finding
    from cardc.fixing import Fixed


@dataclass(frozen=True, slots=True)
class Looking:
    """How a package is looked at: by the rules of lint too (`rules`), mending what is safe, or more."""

    target: Target
    base: Path | None
    rules: bool
    fix: bool
    unsafe: bool
    strict: bool

    def run(self, output: Output) -> int:
        from cardc import pipeline
        from cardc.formats.text import count

        target, fixed, more = self.target, None, None
        if self.fix or self.unsafe:
            outcome, fixed = pipeline.mend(target.folder, self.base, self.rules, self.unsafe, target.asked)
            more = {"fixed": [_data(f, target.root) for f in fixed]}
            for f in fixed:
                output.say(f"fixed {_place(f, target.root)}: {f.finding.code}: {f.title}")
        else:
            outcome = (pipeline.lint if self.rules else pipeline.check)(target.folder, self.base)
        findings = target.shown(outcome.findings)
        output.findings(findings, target.root, more)
        if not findings:
            what = f"{count(outcome.cards, 'card')}, {count(outcome.tests, 'test')}"
            verb = "linted" if self.rules else "checked"
            output.tell(f"{verb} {target.file or name_of(outcome, target.folder)}: {what}, no findings")
        elif not self.unsafe and not output.quiet and (hint := self._hint(findings)):
            output.say(hint)
        return status_of(findings, self.strict)

    def _hint(self, findings: Sequence[Finding]) -> str:
        """What could be mended, and how to ask for it."""
        safe = sum(f.fix is not None and f.fix.safe for f in findings) if not self.fix else 0
        unsafe = sum(f.fix is not None and not f.fix.safe for f in findings)
        parts = [f"{safe} by `--fix`"] * bool(safe) + [f"{unsafe} by `--unsafe-fixes`"] * bool(unsafe)
        return f"can be mended: {', '.join(parts)}" if parts else ""


def _place(fixed: Fixed, root: str) -> str:
    f = fixed.finding
    return f"{root}{f.source.path}:{f.source.line(f.start)}"


def _data(fixed: Fixed, root: str) -> dict[str, Any]:
    f = fixed.finding
    return {"file": root + f.source.path, "line": f.source.line(f.start), "code": f.code, "title": fixed.title}
