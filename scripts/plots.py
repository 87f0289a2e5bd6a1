# SPDX-License-Identifier: Apache-2.0
"""Pictures (SVG) for the studies in docs/results, drawn by matplotlib, which `scripts/setup --figures` installs. The same data give the
same file."""
import io

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.hashsalt": "echelon", "svg.fonttype": "none"})
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib import colors  # noqa: E402


def _svg(figure):
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None}, bbox_inches="tight")
    plt.close(figure)
    return "\n".join(line.rstrip() for line in text.getvalue().splitlines()) + "\n"


def line_plot(title, x_label, y_label, lines):
    """`lines`: name -> [(x, y)]. One y alone, as [(None, y)], is a level across. The x axis is logarithmic (base 2), the y axis begins at 0."""
    figure, axes = plt.subplots(figsize=(7.2, 4.2))
    for name, points in lines.items():
        if points[0][0] is None:
            axes.axhline(points[0][1], label=name, linestyle="--", color=axes._get_lines.get_next_color())
        else:
            axes.plot(*zip(*points), "o-", label=name, markersize=4)
    xs = sorted({x for points in lines.values() for x, _ in points if x is not None})
    axes.set_xscale("log", base=2)
    axes.set_xticks(xs, [f"{x:g}" for x in xs])
    axes.minorticks_off()
    axes.set_ylim(bottom=0)
    axes.set(title=title, xlabel=x_label, ylabel=y_label)
    axes.grid(axis="y", color="#ddd")
    axes.legend(frameon=False)
    return _svg(figure)


def maps(title, panels, columns, rows, column_label, row_label):
    """Tables of names or of numbers side by side as coloured maps. `panels`: name -> table[row][column]; a table of numbers is of percentages
    and shares one scale with the others."""
    figure, all_axes = plt.subplots(1, len(panels), figsize=(0.9 + 3.4 * len(panels), 1.6 + 0.34 * len(rows)), squeeze=False, sharey=True)
    names = sorted({cell for table in panels.values() for row in table for cell in row if isinstance(cell, str)})
    numbers = [cell for table in panels.values() for row in table for cell in row if not isinstance(cell, str)]
    palette = plt.get_cmap("tab20")
    for axes, (name, table) in zip(all_axes[0], panels.items()):
        if names:
            axes.imshow([[names.index(cell) for cell in row] for row in table], cmap=colors.ListedColormap([palette(i % 20) for i in range(len(names))]),
                        vmin=-0.5, vmax=len(names) - 0.5, aspect="auto")
        else:
            axes.imshow(table, cmap="YlOrRd", norm=colors.SymLogNorm(1, vmin=0, vmax=max(*numbers, 10)), aspect="auto")
            for i, row in enumerate(table):
                for j, value in enumerate(row):
                    axes.text(j, i, f"{value:.0f}", ha="center", va="center", fontsize=7, color="white" if value > 80 else "black")
        axes.set(title=name, xlabel=column_label)
        axes.set_xticks(range(len(columns)), columns, rotation=90)
        axes.set_yticks(range(len(rows)), rows)
    all_axes[0][0].set_ylabel(row_label)
    if names:
        figure.legend(handles=[plt.Rectangle((0, 0), 1, 1, color=palette(i % 20), label=name) for i, name in enumerate(names)],
                      loc="upper center", bbox_to_anchor=(0.5, -0.1), ncol=3, frameon=False, fontsize=8)
    figure.suptitle(title, y=1.04)
    return _svg(figure)
