"""What `check` and `lint` share: they look at a package, mend what they may, and say what is left."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from cardc.cli.output import Output, Target, name_of, status_of
from cardc.findings import Finding
from cardc.package import UsageError, read_file, write_file

if TYPE_CHECKING:
    from cardc.baseline import Baseline
    from cardc.fixing import Fixed


class Looking(Struct, frozen=True):
    """How a package is looked at: by the rules of lint too (`rules`), mending what is safe, or more."""

    target: Target
    base: Path | None
    rules: bool
    fix: bool
    unsafe: bool
    strict: bool
    baseline: Path | None = None
    """What was found when lint was taken up, and is not told again."""

    def watch(self, output: Output) -> int:
        """Run again whenever the sources change."""
        if self.fix or self.unsafe:
            raise UsageError("--watch runs when a source changes, so it cannot change them: leave out --fix")
        from cardc.cli.watching import watching

        more = [] if self.baseline is None else [self.baseline]
        return watching(lambda: self.run(output.anew()), output, self.target.folder, self.base, more)

    def run(self, output: Output) -> int:
        from cardc import pipeline
        from cardc.display import plural

        target, more = self.target, None
        known = None if self.baseline is None else _read(self.baseline, target)
        if self.fix or self.unsafe:
            outcome, fixed = pipeline.mend(target.folder, self.base, self.rules, self.unsafe, target.asked)
            more = {"fixed": [_data(f, target.root) for f in fixed]}
            for f in fixed:
                output.note(f"fixed {_place(f, target.root)}: {f.finding.code}: {f.title}")
        else:
            outcome = (pipeline.lint if self.rules else pipeline.check)(target.folder, self.base)
        found = list(outcome.findings)
        if known is not None and not any(f.severity == "error" and f.code.startswith("E") for f in found):
            found = sorted(known.apply(found, outcome.settings), key=Finding.key)
        findings = target.shown(found)
        output.findings(findings, target.root, more)
        if elsewhere := target.elsewhere(found):
            output.say(elsewhere)
        if not findings:
            what = f"{plural(outcome.cards, 'card')}, {plural(outcome.tests, 'test')}"
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


def _read(path: Path, target: Target) -> Baseline:
    """Read a baseline; its file is shown as seen from the package. Raises UsageError."""
    from cardc.baseline import Baseline
    from cardc.read import decode

    source, wrong = decode(Path(os.path.relpath(path, target.folder)).as_posix(), read_file(path))
    if source is None:
        raise UsageError(f"cannot read {path}: {wrong[0].message}")
    return Baseline(source)


def write_baseline(looking: Looking, path: Path, output: Output) -> int:
    """Write what is found to a baseline, unless errors of the language stand in the way. Raises UsageError."""
    from cardc import baseline, pipeline
    from cardc.display import plural

    target = looking.target
    if target.file is not None:
        raise UsageError("a baseline is that of a whole package: name its folder")
    outcome = pipeline.lint(target.folder, looking.base)
    wrong = [f for f in outcome.findings if not baseline.belongs(f)]
    if any(f.severity == "error" for f in wrong):
        output.findings(wrong, target.root)
        output.tell("no baseline was written")
        return 1
    write_file(path, baseline.written(outcome.findings).encode())
    output.tell(f"wrote {plural(len(outcome.findings) - len(wrong), 'finding')} to {path}")
    return 0


def _place(fixed: Fixed, root: str) -> str:
    f = fixed.finding
    return f"{root}{f.source.path}:{f.source.line(f.start)}"


def _data(fixed: Fixed, root: str) -> dict[str, Any]:
    f = fixed.finding
    return {"file": root + f.source.path, "line": f.source.line(f.start), "code": f.code, "title": fixed.title}
