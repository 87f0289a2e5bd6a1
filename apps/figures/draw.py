# SPDX-License-Identifier: Apache-2.0
"""Pictures: general ones that studies use too (line_plot, maps), and generators for each question that
results answer, which yield (name, caption, figure)."""
import itertools
import math
import re
import string

from style import (INK, PALETTE, PAPER, PENALTY, SPEEDUP, bytes_axis, colors, contrast, line_style, number_text, plt, say, short, size_text, svg_text,
                   ticker, time_axis, time_text)


def _styles(names):
    """Styles of lines with these names, for line_plot."""
    firsts, seconds = (list(dict.fromkeys(name[at] for name in names if not isinstance(name, str))) for at in (0, 1))
    for number, name in enumerate(names, 1):
        yield line_style(number) if isinstance(name, str) else line_style(firsts.index(name[0]) + 1, seconds.index(name[1]))


def line_plot(title, x_label, y_label, lines, kind, where, base=2):
    """`lines`: name -> [(x, y)]. A name may be a pair: lines with one first word share colour and marker,
    lines with one second word share dashes. A single y, given as [(None, y)], is a level across. The x axis
    is logarithmic with this base, or linear if it is None; the y axis begins at 0 or below. `kind` and `where` are
    those of style.say. Returns an SVG."""
    figure, axes = plt.subplots(figsize=(7.2, 4.2))
    for (name, points), style in zip(lines.items(), _styles(lines)):
        label = name if isinstance(name, str) else ", ".join(name)
        if points[0][0] is None:
            axes.axhline(points[0][1], label=label, **style | {"marker": None})
        else:
            axes.plot(*zip(*points), label=label, **style)
    xs = sorted({x for points in lines.values() for x, _ in points if x is not None})
    if base:
        axes.set_xscale("log", base=base)
    named = []  # as far apart as their names are long
    for x in xs:
        if not named or x / named[-1] >= (xs[-1] / xs[0]) ** (1 / 20):
            named.append(x)
    axes.set_xticks(named, [f"{x:g}" for x in named])
    axes.minorticks_off()
    if all(y >= 0 for points in lines.values() for _, y in points):
        axes.set_ylim(bottom=0)
    else:
        axes.axhline(0, color=INK, linewidth=0.8)
    axes.set(title=title, xlabel=x_label, ylabel=y_label)
    axes.grid(axis="y")
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1))
    say(figure, kind, where)
    return svg_text(figure)


def maps(title, panels, columns, rows, column_label, row_label, kind, where):
    """Tables of names or of percentages side by side as coloured maps. `panels`: name -> table[row][column].
    `kind` and `where` are those of style.say. Returns an SVG."""
    figure = map_figure(title, panels, columns, rows, column_label, row_label)
    say(figure, kind, where)
    return svg_text(figure)


def colour_bar(figure, steps):
    """`steps`: (text, colour), from the lowest on; they stand right of the map, the greatest on top."""
    figure.legend(handles=[plt.Rectangle((0, 0), 1, 1, facecolor=colour, label=text) for text, colour in reversed(steps)],
                  loc="upper left", bbox_to_anchor=(1, 0.95), labelspacing=0, handleheight=1.6)


def map_figure(title, panels, columns, rows, column_label, row_label):
    """Like maps, but returns a figure. Names have a colour and a letter; equal neighbours in a row are one
    field; None is an empty cell."""
    wide = max(2.2, 0.36 * len(columns))
    figure, all_axes = plt.subplots(1, len(panels), figsize=(1.2 + (wide + 0.3) * len(panels), 1.5 + 0.3 * len(rows)), squeeze=False, sharey=True)
    cells = [cell for table in panels.values() for row in table for cell in row if cell is not None]
    names = sorted({cell for cell in cells if isinstance(cell, str)}, key=lambda name: (name != "native", name))
    letters = {name: string.ascii_letters[i % 52] for i, name in enumerate(names)}
    paint = {name: "#c9cbd1" if name == "native" else PALETTE[i % len(PALETTE)] for i, name in enumerate(names)}
    most = max([cell for cell in cells if not isinstance(cell, str)] + [10])
    norm = colors.SymLogNorm(1, vmin=0, vmax=most)
    for axes, (name, table) in zip(all_axes[0], panels.items()):
        for i, row in enumerate(table):
            j = 0
            for text, run in itertools.groupby(row, lambda cell: "" if cell is None else letters[cell] if names else str(round(cell))):
                cells = list(run)
                if text:
                    colour = paint[cells[0]] if names else PENALTY(norm(round(cells[0])))
                    axes.add_patch(plt.Rectangle((j - 0.5, i - 0.5), len(cells), 1, facecolor=colour, edgecolor=PAPER, linewidth=0.8, clip_on=False, joinstyle="round"))
                    axes.text(j + (len(cells) - 1) / 2, i, text, ha="center", va="center", fontsize=8, color=contrast(colour))
                j += len(cells)
        axes.set(xlim=(-0.5, len(columns) - 0.5), ylim=(-0.5, len(rows) - 0.5), xlabel=column_label)
        axes.set_title(name, fontsize=9.5)
        axes.set_xticks(range(len(columns)), columns, rotation=90)
        axes.set_yticks(range(len(rows)), rows)
        axes.tick_params(length=0)
    all_axes[0][0].set_ylabel(row_label)
    if names:
        figure.legend(handles=[plt.Rectangle((0, 0), 1, 1, facecolor=paint[name], label=f"{letters[name]}: {short(name)}") for name in names],
                      loc="upper left", bbox_to_anchor=(1, 0.95))
    else:
        steps = [0, *(step for step in (1, 3, 10, 30, 100, 300, 1000, 3000, 10000) if step < most), math.ceil(most)]
        colour_bar(figure, [(f"{step} %", PENALTY(norm(step))) for step in steps])
    figure.suptitle(title, x=0.01, ha="left", fontweight="bold", fontsize=11)
    figure.tight_layout()
    return figure


def _of(rows, collective):
    return [row for row in rows if row["collective"] == collective]


def collectives(rows):
    return list(dict.fromkeys(row["collective"] for row in rows))


def _native(row):
    return row["recipe"] == "native"


def _best_recipes(rows, most):
    """Recipes that are fastest somewhere, then the ones nearest to the fastest."""
    sizes = {row["bytes"] for row in rows}
    best = {size: min(row["median_s"] for row in rows if row["bytes"] == size) for size in sizes}
    losses = {}
    for row in rows:
        if not _native(row):
            losses.setdefault(row["recipe"], []).append(row["median_s"] / best[row["bytes"]])
    order = sorted(losses, key=lambda recipe: (min(losses[recipe]) > 1, sum(losses[recipe]) / len(losses[recipe])))
    return order[:most], len(order)


def _communicators(results):
    """Rows of one collective on one number of ranks, grouped."""
    for collective in collectives(results.rows):
        for ranks in sorted({row["ranks"] for row in _of(results.rows, collective)}):
            yield collective, [row for row in _of(results.rows, collective) if row["ranks"] == ranks]


def time_against_bytes(results):
    for collective, rows in _communicators(results):
        sizes = sorted({row["bytes"] for row in rows})
        if len(sizes) < 2:
            continue
        chosen, all_of_them = _best_recipes(rows, 7)
        figure, axes = plt.subplots(figsize=(7.4, 4.2))
        for number, recipe in enumerate(["native", *chosen]):
            points = sorted((row for row in rows if row["recipe"] == recipe), key=lambda row: row["bytes"])
            points = list({row["bytes"]: row for row in points}.values())
            if points:
                middle = [row["median_s"] for row in points]
                axes.errorbar([row["bytes"] for row in points], middle, label=short(recipe), **line_style(number),
                              yerr=[[m - row["low_s"] for m, row in zip(middle, points)], [row["high_s"] - m for m, row in zip(middle, points)]])
        bytes_axis(axes, sizes)
        time_axis(axes)
        axes.set_title(f"{collective}: time against bytes, {rows[0]['ranks']} ranks")
        axes.legend(loc="upper left", bbox_to_anchor=(1, 1))
        exact = all(row["low_s"] == row["high_s"] for row in rows)
        say(figure, results.kind, results.where() + ("" if exact else "; bars: 95 % confidence of the median"))
        left_out = f" The {len(chosen)} fastest of {all_of_them} recipes." if len(chosen) < all_of_them else ""
        yield f"time_{collective}_{rows[0]['ranks']}", f"Time of {collective} against bytes{'' if exact else ', with the 95 % interval of the median'}.{left_out}", figure


def _speedups(rows):
    """(bytes, ranks) -> native median over the least median of all recipes."""
    native = {(row["bytes"], row["ranks"]): row["median_s"] for row in rows if _native(row)}
    least = {}
    for row in rows:
        if not _native(row):
            cell = row["bytes"], row["ranks"]
            least[cell] = min(row["median_s"], least.get(cell, math.inf))
    return {cell: native[cell] / seconds for cell, seconds in least.items() if cell in native}


def speedup_map(all_results):
    """Map of results on one or several numbers of ranks."""
    for kind in ("measured", "simulated"):
        some = [results for results in all_results if results.kind == kind]
        rows = [row for results in some for row in results.rows]
        for collective in collectives(rows):
            best = _speedups(_of(rows, collective))
            if len(best) < 2:
                continue
            sizes, counts = sorted({cell[0] for cell in best}), sorted({cell[1] for cell in best})
            figure, axes = plt.subplots(figsize=(1.9 + 0.52 * len(sizes), 1.3 + 0.42 * len(counts)))
            norm = colors.LogNorm(0.25, 4)
            for (size, count), ratio in best.items():
                x, y = sizes.index(size), counts.index(count)
                colour = SPEEDUP(norm(min(max(ratio, 0.25), 4)))
                axes.add_patch(plt.Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor=colour, edgecolor=PAPER))
                axes.text(x, y, number_text(ratio), ha="center", va="center", fontsize=8, color=contrast(colour))
            axes.set(xlim=(-0.5, len(sizes) - 0.5), ylim=(-0.5, len(counts) - 0.5), xlabel="bytes", ylabel="ranks")
            axes.set_xticks(range(len(sizes)), [size_text(size) for size in sizes])
            axes.set_yticks(range(len(counts)), counts)
            axes.tick_params(length=0)
            axes.set_title(f"{collective}: native time / time of the best recipe")
            figure.tight_layout()
            colour_bar(figure, [(f"{step:g} times", SPEEDUP(norm(step))) for step in (0.25, 0.5, 1, 2, 4)])
            say(figure, kind, some[0].where() if len(some) == 1 else f"{len(some)} files of results")
            yield f"speedup_{collective}_{kind}", f"How many times faster than the MPI library's own {collective} the best recipe is: above 1 it gains.", figure


GROUPS = re.compile(r"\bG=(\d+), ")


def time_against_groups(results, predict):
    """Time over G, for recipes that differ in nothing but G. `predict` of collective, bytes, ranks and
    recipes: a profile's Prediction, or None."""
    for collective, of_all_sizes in _communicators(results):
        for size in sorted({row["bytes"] for row in of_all_sizes}):
            rows = [row for row in of_all_sizes if row["bytes"] == size]
            lines = {}
            for row in rows:
                if found := GROUPS.search(row["recipe"]):
                    lines.setdefault(GROUPS.sub("G, ", row["recipe"], 1), {})[int(found.group(1))] = row
            lines = {name: points for name, points in lines.items() if len(points) > 1}
            if not lines:
                continue
            figure, axes = plt.subplots(figsize=(7.4, 4.0))
            level = [row for row in rows if _native(row) and row["source"] == "library"]
            if level:
                axes.axhline(level[0]["median_s"], label="native", color=INK)
            order = sorted(lines, key=lambda name: min(row["median_s"] for row in lines[name].values()))[:7]
            prediction = predict(collective, size, rows[0]["ranks"], [row["recipe"] for name in order for row in lines[name].values()])
            for number, name in enumerate(order, 1):
                points = sorted(lines[name].items())
                told = [(count, prediction.seconds[row["recipe"]]) for count, row in points if row["recipe"] in prediction.seconds] if prediction else []
                if told:
                    axes.plot(*zip(*told), label=f"{short(name)}, predicted", **line_style(number, 1))
                least = min(points, key=lambda point: point[1]["median_s"])[0]
                axes.errorbar([count for count, _ in points], [row["median_s"] for _, row in points], label=f"{short(name)}, least at G={least}", **line_style(number, 0 if prediction else None),
                              yerr=[[row["median_s"] - row["low_s"] for _, row in points], [row["high_s"] - row["median_s"] for _, row in points]])
            for chosen in rows:
                found = GROUPS.search(chosen["recipe"])
                if chosen["source"] not in ("library", "hint") and found:
                    axes.plot(int(found.group(1)), chosen["median_s"], "*", color=INK, markersize=13, label="chosen by itself")
            counts = {count for name in order for count in lines[name]}
            if prediction:
                counts.add(prediction.groups)
                axes.axvline(prediction.groups, color=INK, linestyle=":", label=f"chosen by the profile: {short(prediction.chosen)}")
            counts = sorted(counts)
            axes.set_xscale("log", base=2)
            axes.set_xticks(counts, counts)
            axes.minorticks_off()
            axes.set_xlabel("groups G (1: not grouped)" if counts[0] == 1 else "groups G")
            time_axis(axes, logarithmic=False)
            axes.set_ylim(bottom=0)
            axes.margins(y=0.15)
            axes.set_title(f"{collective} of {size_text(size)} bytes against G, {rows[0]['ranks']} ranks")
            axes.legend(loc="upper left", bbox_to_anchor=(1, 1))
            say(figure, results.kind, results.where() + (f"; hollow: predicted by {prediction.by}" if prediction else ""))
            chosen = f" The profile chooses {prediction.chosen}." if prediction else ""
            yield f"groups_{collective}_{size_text(size)}_{rows[0]['ranks']}", f"Time of {collective} of {size_text(size)} bytes against the number of groups.{chosen}", figure


PARAMETERS = re.compile(r"\((?:seg|k|schedule)=[^()]*\)|, seg=[0-9KMG]+")


def family(recipe):
    """The recipe without parameters."""
    return PARAMETERS.sub("", recipe)


def _table(rows, x, y, value):
    columns, lines = sorted({row[x] for row in rows}), sorted({row[y] for row in rows})
    cells = {(row[x], row[y]): value(row) for row in rows}
    return columns, lines, [[cells.get((column, line)) for column in columns] for line in lines]


def decision_map(choices):
    for collective in collectives(choices.rows):
        rows = _of(choices.rows, collective)
        sizes, counts, names = _table(rows, "bytes", "p", lambda row: family(row["chosen"]))
        figure = map_figure(f"{collective}: what runs", {"chosen": names}, [size_text(size) for size in sizes], counts, "bytes", "ranks")
        say(figure, choices.kind, f"by a profile; ranks a node: {rows[0]['layout'].split('x')[-1]}")
        yield f"decisions_{collective}", f"Which recipe a profile chooses for {collective}.", figure
        _, _, loss = _table(rows, "bytes", "p", lambda row: max(0.0, 100 * (row["native_s"] / row["expected_s"] - 1))
                            if row["native_s"] > 0 and row["expected_s"] > 0 else None)
        if any(cell is not None for line in loss for cell in line):
            figure = map_figure(f"{collective}: penalty of the native collective, % of the chosen one's time", {"native": loss},
                                [size_text(size) for size in sizes], counts, "bytes", "ranks")
            say(figure, choices.kind, "by a profile; empty: native was never measured there")
            yield f"penalties_{collective}", f"How much longer the native {collective} would take than what is chosen.", figure


def regret_map(regret):
    rows = [row | {"what": row["collective"] + ("" if row["part"] == "all" else f", {row['part']}")} for row in regret.rows]
    sizes, names, loss = _table(rows, "bytes", "what", lambda row: max(0.0, 100 * row["regret"]))
    figure = map_figure("penalty of the automatic choice, % beyond the best of all recipes", {"chosen": loss}, [size_text(size) for size in sizes], names, "bytes", "")
    say(figure, regret.kind, regret.where())
    yield f"regret_{regret.machine['ranks']}", "What the automatic choice costs against the best of all recipes.", figure


def where_time_went(summary):
    totals = summary.data["totals"]
    wall, parts = totals["wall_seconds"]["max"], totals["collectives"]
    parts = sorted(parts, key=lambda part: -part["seconds"]["mean"])
    inside = sum(part["seconds"]["mean"] for part in parts)
    figure, (bar, lines) = plt.subplots(2, 1, figsize=(7.4, 1.9 + 0.36 * len(parts)), height_ratios=[1.1, 0.5 + 0.5 * len(parts)])
    left = 0.0
    pieces = [("everything else", max(wall - inside, 0), "#b9bbc2", "")]
    pieces += [(part["collective"], part["seconds"]["mean"], PALETTE[i % len(PALETTE)], ("", "//", "..", "xx")[i // 2 % 4]) for i, part in enumerate(parts)]
    saved = totals["saved"]
    if saved and saved["seconds"] > 0:
        pieces.append(("saved", saved["seconds"], "none", ""))
    for name, seconds, colour, hatch in pieces:
        bar.barh(0, seconds, left=left, facecolor=colour, hatch=hatch, edgecolor=INK if colour == "none" else PAPER, linestyle="--" if colour == "none" else "-")
        if seconds > 0.07 * wall:
            bar.text(left + seconds / 2, 0, f"{name}\n{time_text(seconds)}", ha="center", va="center", fontsize=8,
                     color=INK if colour == "none" else contrast(colour), bbox={"facecolor": colour, "edgecolor": "none", "pad": 1} if hatch else None)
        left += seconds
    bar.set(yticks=[], xlim=(0, left))
    bar.xaxis.set_major_formatter(ticker.FuncFormatter(lambda seconds, _: time_text(seconds) if seconds else "0"))
    bar.set_title(f"{summary.data['program']}: where {time_text(wall)} went")
    for i, part in enumerate(parts):
        seconds = part["seconds"]
        lines.plot([seconds["min"], seconds["max"]], [i, i], color=PALETTE[i % len(PALETTE)], linewidth=5, solid_capstyle="butt", alpha=0.6)
        lines.plot(seconds["mean"], i, "D", color=INK, markersize=5)
        lines.annotate(f"{part['imbalance']:.0%} more than the mean at most", (seconds["max"], i), xytext=(8, 0), textcoords="offset points", va="center", fontsize=8)
    lines.set_yticks(range(len(parts)), [f"{part['collective']}, {number_text(part['calls']['mean'])} calls" for part in parts])
    lines.set(ylim=(len(parts) - 0.4, -0.6), xlabel="time inside, least to most of the ranks; diamond: mean")
    lines.set_xlim(0, 1.45 * max([part["seconds"]["max"] for part in parts], default=1))
    lines.xaxis.set_major_formatter(ticker.FuncFormatter(lambda seconds, _: time_text(seconds) if seconds else "0"))
    lines.grid(axis="x")
    say(figure, summary.kind, summary.where())
    figure.tight_layout()
    yield f"application_{summary.data['program']}", "Where the application's time went: the mean over the ranks, and how ranks differ.", figure


def profile_samples(profile):
    """Time against bytes, for each number of ranks and layout."""
    from files import Results
    samples = [sample | {"ranks": sample["p"], "source": "sample", "median_s": sample["seconds"],
                         "low_s": sample["seconds"] * (1 - sample.get("spread", 0)), "high_s": sample["seconds"] * (1 + sample.get("spread", 0))}
               for sample in profile.data.get("samples", [])]
    for layout in sorted({sample["layout"] for sample in samples}):
        results = Results(profile.name, [sample for sample in samples if sample["layout"] == layout], {"simulated": profile.kind == "simulated"})
        results.where = lambda layout=layout: f"layout {layout}, {profile.where()}"
        for name, caption, figure in time_against_bytes(results):
            yield f"{name}_{layout.replace(' ', '_')}", caption.replace("Time of", "Calibrated time of"), figure


def timeline(traces):
    """Timeline of as many ranks as can be read, from one file or one per rank: collectives are wide bars,
    their contents narrow ones."""
    # If there are messages, phases lie behind them.
    has_messages = any("peer" in bar[5] for trace in traces for bar in trace.bars)
    most_ranks, most_bars = 32, 4000
    bars = sorted((bar for trace in traces for bar in trace.bars), key=lambda bar: bar[3])
    ranks = sorted({bar[0] for bar in bars})[:most_ranks]
    bars = [bar for bar in bars if bar[0] in ranks]
    if not bars:
        return
    shown = bars[:most_bars]
    zero = shown[0][3]
    names = list(dict.fromkeys(bar[2] for bar in shown))
    paint = {name: PALETTE[i % len(PALETTE)] for i, name in enumerate(names)}
    hatch = {name: ("", "///", "...", "xxx", "---")[i % 5] for i, name in enumerate(names)}
    figure, axes = plt.subplots(figsize=(9, 1.6 + 0.34 * len(ranks)))
    for rank, _, name, begin, end, facts in shown:
        whole, phase, line = "ranks" in facts, "group" in facts, ranks.index(rank)
        height = 0.86 if whole else 0.74 if phase and has_messages else 0.36 if phase else 0.2
        middle = line if whole or phase else line + 0.22 * {"send": -1, "receive": 0}.get(name, 1)
        axes.barh(middle, end - begin, left=begin - zero, height=height, facecolor=paint[name], edgecolor=PAPER, linewidth=0.3, hatch=hatch[name],
                  alpha=0.45 if whole else 0.6 if phase and has_messages else 1, zorder=2 if whole else 3 if phase else 4)
    axes.set_yticks(range(len(ranks)), ranks)
    axes.set(ylim=(len(ranks) - 0.4, -0.6), xlabel="time", ylabel="rank")
    axes.xaxis.set_major_formatter(ticker.FuncFormatter(lambda seconds, _: time_text(seconds) if seconds else "0"))
    axes.grid(axis="x")
    axes.set_title("what ran when")
    axes.legend(handles=[plt.Rectangle((0, 0), 1, 1, facecolor=paint[name], hatch=hatch[name], edgecolor=PAPER, label=short(name)) for name in names], loc="upper left", bbox_to_anchor=(1, 1))
    left_out = "" if len(shown) == len(bars) else f"; the first {most_bars} of {len(bars)} bars"
    say(figure, traces[0].kind, short(traces[0].title.removesuffix(f", {traces[0].kind}"), 90) + left_out)
    yield "timeline", "Collectives and their phases on each rank, in time.", figure


def against_libraries(comparison):
    """For each calibrated cell the fastest library over Echelon, and over the lower bound, the largest
    possible gain."""
    cells = {}
    for row in comparison.rows:
        if row["setting"] == "calibrated":
            cells.setdefault((row["platform"], row["ranks"], row["each"], row["order"], row["collective"], row["bytes"]), []).append(row)
    points = {False: [], True: []}  # several ranks a node -> collective, gain, greatest gain
    for (_, _, each, _, collective, _), rows in cells.items():
        best, own = (min(row[name] for row in rows) for name in ("native_s", "echelon_s"))
        if math.isfinite(best) and math.isfinite(own):
            points[each > 1].append((collective, best / own, best / rows[0]["bound_s"]))
    names = sorted({collective for some in points.values() for collective, _, _ in some})
    points = {several: sorted(some, key=lambda point: point[1]) for several, some in points.items() if some}
    if not points:
        return
    figure, all_axes = plt.subplots(1, len(points), figsize=(2.2 + 3.4 * len(points), 4.2), sharey=True, squeeze=False)
    for (several, some), axes in zip(points.items(), all_axes[0]):
        axes.plot([point[2] for point in some], label="possible at most", color=INK, marker="_", linestyle="", markersize=7)
        for number, name in enumerate(names, 1):
            of_name = [(at, point[1]) for at, point in enumerate(some) if point[0] == name]
            axes.plot([at for at, _ in of_name], [gain for _, gain in of_name], label=name, **line_style(number) | {"linestyle": ""})
        axes.axhline(1, color=INK, linewidth=0.8)
        axes.set_yscale("log")
        axes.yaxis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
        axes.yaxis.set_major_formatter(ticker.FuncFormatter(lambda ratio, _: number_text(ratio)))
        axes.yaxis.set_minor_formatter(ticker.NullFormatter())
        axes.set_xticks([])
        axes.set_xlabel(f"{len(some)} cells, by what is gained")
        axes.set_title("several ranks a node" if several else "one rank a node", fontsize=9.5)
        axes.grid(axis="y")
    all_axes[0][0].set_ylabel("fastest library / Echelon")
    all_axes[0][-1].legend(loc="upper left", bbox_to_anchor=(1, 1))
    libraries = list(dict.fromkeys(row["library"] for row in comparison.rows))
    figure.suptitle(f"Echelon, calibrated, beside the fastest of {', '.join(libraries)}", x=0.01, ha="left", fontweight="bold", fontsize=11)
    say(figure, comparison.kind, "above 1 Echelon is faster; a dash: the library over a lower bound")
    yield "libraries", "How many times longer the fastest library takes than calibrated Echelon, cell by cell, and how many times that could be at most.", figure
