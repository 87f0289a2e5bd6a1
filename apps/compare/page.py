# SPDX-License-Identifier: Apache-2.0
"""The page of a comparison, and the table of all its times."""
import collections
import csv
import datetime
import io
import math
import statistics

import whole_file

MARK = "<!-- below: echelon compare -->"
# Echelon's targets. FASTER: with free messages, and with processor time.
FASTER = {"none": {"several ranks a node": 2.0, "one rank a node": 1.3}, "measured": {"several ranks a node": 1.6, "one rank a node": 1.3}}
NEAR_BOUND = 0.8
NOT_SLOWER, NOT_SLOWER_UNSET, FASTER_UNSET = 0.98, 0.95, 1.3
EARLY = 20  # calls


def geometric_mean(values):
    values = list(values)
    return math.exp(statistics.mean(map(math.log, values))) if values else math.nan


def milliseconds(seconds):
    return "wrong" if math.isinf(seconds) else f"{1e3 * seconds:.3g}"


def size_text(size):
    for unit, word in ((1 << 20, "MB"), (1 << 10, "KB")):
        if size >= unit:
            return f"{size // unit} {word}" if size % unit == 0 else f"{size / unit:.1f} {word}"
    return f"{size} B"


def kind_of(cluster):
    return "one rank a node" if cluster.each == 1 else "several ranks a node"


class Ratios:
    """Ratios of a cell: time of the fastest library over the fastest Echelon above any library, and of the
    bound over each."""

    def __init__(self, cell, runs, best):
        """`best`: seconds and recipe of the fastest of all recipes; None: not measured."""
        self.cell, self.runs, self.best = cell, runs, best
        self.right = {peer: run for peer, run in runs.items() if math.isfinite(run.native)}
        self.best_peer, fastest = min(self.right.items(), key=lambda one: one[1].native)
        self.above, self.own = min(((peer, run) for peer, run in runs.items() if run.recipe), key=lambda one: one[1].seconds)
        self.gain = fastest.native / self.own.seconds
        self.of_bound = cell.bound / self.own.seconds
        self.possible = fastest.native / cell.bound

    def near_bound(self):
        return self.of_bound >= NEAR_BOUND

    def attainable(self):
        """Time of the fastest library over that of the fastest known recipe."""
        return self.gain * max(1.0, self.own.seconds / self.best[0])

    def fastest(self):
        return self.own.recipe if self.own.seconds <= self.best[0] else self.best[1]


def cells_of(found):
    """Cells that have both a right library and Echelon."""
    return [Ratios(cell, runs, found.best.get(cell)) for cell, runs in found.calibrated.items()
            if any(math.isfinite(run.native) for run in runs.values()) and any(run.recipe for run in runs.values())]


def grouped(ratios, key):
    groups = collections.defaultdict(list)
    for one in ratios:
        groups[key(one)].append(one)
    return dict(sorted(groups.items()))


def table(title, groups):
    lines = [f"| {title} | cells | best library / Echelon | least | below {NOT_SLOWER} | bound / Echelon | within {NEAR_BOUND:.0%} | best library / bound |",
             "|---|---:|---:|---:|---:|---:|---:|---:|"]
    for name, some in groups.items():
        gains = [one.gain for one in some]
        lines.append(f"| {name} | {len(some)} | {geometric_mean(gains):.2f} | {min(gains):.2f} | {below(gains, NOT_SLOWER)} | "
                     f"{geometric_mean(one.of_bound for one in some):.0%} | {sum(one.near_bound() for one in some)} | {geometric_mean(one.possible for one in some):.2f} |")
    return lines + [""]


def short_table(title, groups, least):
    lines = [f"| {title} | cells | geometric mean | least | below {least} |", "|---|---:|---:|---:|---:|"]
    return lines + [f"| {name} | {len(ratios)} | {geometric_mean(ratios):.2f} | {min(ratios):.2f} | {below(ratios, least)} |"
                    for name, ratios in groups.items()] + [""]


def gain(run):
    return run.native / run.seconds


def below(gains, least):
    return sum(one < least for one in gains)


# With nothing set an entry is (cell, library, run), and the library's result is right.
def unset_gains(own):
    """Gains in the first EARLY calls, in all, and in the last tenth."""
    return zip(*((run.early, gain(run), run.late) for _, _, run in own))


def unset_table(title, groups, calls):
    lines = [f"| {title} | cells | first {EARLY} calls | least | below {NOT_SLOWER_UNSET} | all {calls} | least | below {NOT_SLOWER_UNSET} | last tenth |",
             "|---" + "|---:" * 8 + "|"]
    for name, own in groups.items():
        early, every, late = unset_gains(own)
        columns = [len(own), *(column for some in (early, every) for column in (f"{geometric_mean(some):.2f}", f"{min(some):.2f}", below(some, NOT_SLOWER_UNSET))), f"{geometric_mean(late):.2f}"]
        lines.append(f"| {name} | {' | '.join(map(str, columns))} |")
    return lines + [""]


def aims(cells, own, given):
    faster = FASTER[given.costs]
    lines = ["| aim | found | reached |", "|---|---|---|"]
    def line(aim, found, reached):
        lines.append(f"| {aim} | {found} | {'yes' if reached else '**no**'} |")
    if cells:
        for kind, some in grouped(cells, lambda one: kind_of(one.cell.cluster)).items():
            far = [one for one in some if not one.near_bound()]
            line(f"calibrated, {kind}: the best library takes {faster[kind]:g} times as long, or Echelon is within {NEAR_BOUND:.0%} of the bound",
                 f"{geometric_mean(one.gain for one in some):.2f}; {len(some) - len(far)} of {len(some)} cells are within {NEAR_BOUND:.0%}"
                 + (f", the others {geometric_mean(one.gain for one in far):.2f}" if 0 < len(far) < len(some) else "")
                 + (f"; with the fastest of all recipes in each cell {geometric_mean(one.attainable() for one in some):.2f}" if all(one.best for one in some) else ""),
                 not far or geometric_mean(one.gain for one in far) >= faster[kind] or geometric_mean(one.gain for one in some) >= faster[kind])
        gains = [one.gain for one in cells]
        line(f"calibrated: no cell below {NOT_SLOWER}", f"{below(gains, NOT_SLOWER)} of {len(cells)} are, the least is {min(gains):.2f}", min(gains) >= NOT_SLOWER)
    if own:
        early, every, late = unset_gains(own)
        line(f"nothing set, against the library below: no cell below {NOT_SLOWER_UNSET}",
             f"in the first {EARLY} calls {below(early, NOT_SLOWER_UNSET)} of {len(own)} are, the least is {min(early):.2f}; in all {given.calls} {below(every, NOT_SLOWER_UNSET)}, the least is {min(every):.2f}",
             min(early + every) >= NOT_SLOWER_UNSET)
        line(f"nothing set: {FASTER_UNSET} times", f"in the first {EARLY} calls {geometric_mean(early):.2f}, in all {given.calls} {geometric_mean(every):.2f}, in the last tenth {geometric_mean(late):.2f}",
             geometric_mean(every) >= FASTER_UNSET)
    return lines + [""]


MOST = 12  # rows of a table of worst cells


def worst_cells(cells, given):
    """The worst cells; if all recipes were timed, each cell that misses its aim, beside its fastest recipe."""
    some, title = sorted(cells, key=lambda one: one.gain), "the worst calibrated cells"
    if given.best:
        some, title = [one for one in some if one.gain < FASTER[given.costs][kind_of(one.cell.cluster)] and not one.near_bound()], "calibrated cells below their aim"
    lines = [f"| {title} | collective | bytes | bound, ms | best library, ms | Echelon, ms | best / it | of bound | runs |{' best library / fastest recipe | fastest |' if given.best else ''}",
             f"|---|---|---:|---:|---:|---:|---:|---:|---|{'---:|---|' if given.best else ''}"]
    for one in some if given.best else some[:MOST]:
        cell = one.cell
        lines.append(f"| {cell.cluster.words()} | {cell.collective} | {size_text(cell.bytes)} | {milliseconds(cell.bound)} | {one.best_peer} {milliseconds(one.runs[one.best_peer].native)} | "
                     f"{milliseconds(one.own.seconds)} | {one.gain:.2f} | {one.of_bound:.0%} | `{one.own.recipe}` ({one.own.source}) |"
                     + (f" {one.attainable():.2f} | `{one.fastest()}` |" if one.best else " | |" if given.best else ""))
    return lines + [""]


def worst_unset(own):
    lines = ["| the worst with nothing set | library | native, ms | Echelon, ms | ratio | at the end it runs |", "|---|---|---:|---:|---:|---|"]
    for cell, peer, run in sorted(own, key=lambda one: gain(one[2]))[:MOST]:
        lines.append(f"| {cell.cluster.words()}, {cell.collective} {size_text(cell.bytes)} | {peer} | {milliseconds(run.native)} | {milliseconds(run.seconds)} | "
                     f"{gain(run):.2f} | `{run.recipe}` ({run.source}) |")
    return lines + [""]


def impossible(found):
    """Cells with times below the bound: either the bound or the simulation is wrong there."""
    below = [f"{cell.cluster.words()} {cell.collective} {size_text(cell.bytes)}" for some in (found.calibrated, found.plain) for cell, runs in some.items()
             if min(min(run.native, run.seconds) for run in runs.values()) < 0.999 * cell.bound]
    return ["**Below the bound, which cannot be:** " + ", ".join(dict.fromkeys(below)), ""] if below else []


def left_out_lines(left_out):
    if not left_out:
        return []
    where = collections.defaultdict(list)
    for peer, why, cluster, what in left_out:
        where[peer, why].append(f"{cluster.words()} {what}")
    return ["Left out:", ""] + [f"- {peer}, {why}: " + ", ".join(places) for (peer, why), places in sorted(where.items())] + [""]


def text_of(given, found, drawn, build, words):
    cells = cells_of(found)
    own = [(cell, peer, run) for cell, runs in found.plain.items() for peer, run in runs.items() if math.isfinite(run.native)]
    lines = [f"Figures of {f'commit {build}, ' if build else ''}{datetime.date.today()}.", "",
             f"Made by `{' '.join(['echelon compare', *words])}`: {found.clusters} of {drawn} clusters, {len(cells)} cells. Combining a byte takes {given.gamma}. "
             f"Messages take {'the processor time of the platform' if given.costs == 'measured' else 'no processor time'}.", ""]
    lines += aims(cells, own, given) + impossible(found)
    if cells:
        lines += table("calibrated, ranks a node", grouped(cells, lambda one: kind_of(one.cell.cluster)) | {"all": cells})
        lines += table("collective", grouped(cells, lambda one: one.cell.collective))
        above = [(one.cell, peer, run) for one in cells for peer, run in one.right.items() if run.recipe]
        if above:
            lines += short_table("calibrated, above the library", {peer: [gain(run) for _, _, run in some] for peer, some in grouped(above, lambda one: one[1]).items()}, NOT_SLOWER)
    if own:
        lines += unset_table("nothing set, above the library", grouped(own, lambda one: one[1]) | {"all": own}, given.calls)
        lines += unset_table("collective", grouped(own, lambda one: one[0].collective), given.calls)
        lines += worst_unset(own)
    if cells:
        lines += worst_cells(cells, given)
    return "\n".join(lines + left_out_lines(found.left_out)).rstrip() + "\n"


def table_of(given):
    return given.keep / f"{given.output.stem}.csv"


def write(given, found, drawn, build, words):
    before = given.output.read_text() if given.output.exists() else ""
    head = before.split(MARK)[0] if MARK in before else "# Echelon beside other libraries' collectives, simulated\n\n"
    whole_file.write(given.output, f"{head}{MARK}\n\n{text_of(given, found, drawn, build, words)}")
    number = lambda value: f"{value:.9g}" if math.isfinite(value) else ""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["setting", "platform", "ranks", "each", "order", "collective", "bytes", "bound_s", "library", "native_s", "echelon_s", "early_gain", "late_gain", "recipe", "source"])
    for setting, some in (("calibrated", found.calibrated), ("nothing set", found.plain)):
        for cell, runs in some.items():
            rows.writerows([setting, *cell.cluster, cell.collective, cell.bytes, f"{cell.bound:.9g}", peer, *map(number, (run.native, run.seconds, run.early, run.late)), run.recipe, run.source]
                           for peer, run in runs.items())
    whole_file.write(table_of(given), text.getvalue())
