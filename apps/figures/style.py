# SPDX-License-Identifier: Apache-2.0
"""Common looks of all pictures: colours that the colour-blind can tell apart (Okabe and Ito, Color Universal
Design, 2008), always with a marker, a line style or a letter beside them; units; and a mark of measured,
simulated or predicted times. An SVG takes the reader's colours, dark or light; PNG and PDF are light, or dark
on request. Equal data give equal files."""
import io
import re

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update({
    "svg.hashsalt": "echelon", "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 9.5, "axes.spines.top": False,
    "axes.spines.right": False, "axes.titlesize": 11, "axes.titleweight": "bold", "axes.titlelocation": "left", "legend.frameon": False,
    "legend.fontsize": 8.5, "grid.linewidth": 0.6, "lines.linewidth": 1.6, "lines.markersize": 5, "pdf.fonttype": 42, "figure.max_open_warning": 0, "errorbar.capsize": 2})
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib import colors, ticker  # noqa: E402

from ink import DARK_INK, DARK_PAPER, INK, OF_READER, PAPER  # noqa: E402

PALETTE = ["#0077bb", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6bb1", "#8a6d3b"]
MARKERS = "os^DvPX*"
LINES = ["-", "--", "-.", (0, (1, 1.2)), (0, (5, 1.5, 1, 1.5, 1, 1.5))]
for key in ("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color"):
    matplotlib.rcParams[key] = INK
for key in ("figure.facecolor", "axes.facecolor", "savefig.facecolor"):
    matplotlib.rcParams[key] = PAPER
matplotlib.rcParams["grid.color"] = "#8b8d94"
matplotlib.rcParams["grid.alpha"] = 0.35
# Slower than native is orange, faster is blue.
SPEEDUP = colors.LinearSegmentedColormap.from_list("speedup", ["#b35806", "#f1a340", "#f4f4f2", "#92c5de", "#2166ac"])
PENALTY = colors.LinearSegmentedColormap.from_list("penalty", ["#f4f4f2", "#fdb863", "#b35806"])


def line_style(number, dashes=None):
    """Style of the number-th line of a picture; line 0 is the native collective, in ink. `dashes`: replaces
    that number's dashes; markers are then hollow, except for the first dashes."""
    if number == 0:
        return {"color": INK, "marker": "o", "markerfacecolor": PAPER, "linestyle": "-"}
    at, turn = (number - 1) % len(PALETTE), (number - 1) // len(PALETTE)
    found = {"color": PALETTE[at], "marker": MARKERS[(at + 1 + turn) % len(MARKERS)], "linestyle": LINES[(at + turn if dashes is None else dashes) % len(LINES)]}
    return found | ({"markerfacecolor": PAPER} if dashes else {})


def size_text(size):
    for unit, letter in ((1 << 30, "G"), (1 << 20, "M"), (1 << 10, "K")):
        if size >= unit and size % unit == 0:
            return f"{size // unit}{letter}"
    return str(size)


def time_text(seconds):
    for unit, name in ((1, "s"), (1e-3, "ms"), (1e-6, "us")):
        if abs(seconds) >= unit:
            return f"{seconds / unit:.3g} {name}"
    return f"{seconds * 1e9:.3g} ns"


def number_text(number):
    """Three digits, and no exponent."""
    return f"{number:.0f}" if abs(number) >= 100 else f"{number:.3g}"


def short(text, most=48):
    return text if len(text) <= most else text[:most - 3] + "..."


def bytes_axis(axes, sizes):
    """Logarithmic, with at most a dozen labels."""
    axes.set_xscale("log", base=2)
    step = -(-len(sizes) // 12)
    axes.set_xticks(sizes[::step], [size_text(size) for size in sizes[::step]])
    axes.minorticks_off()
    axes.set_xlabel("bytes")


def time_axis(axes, logarithmic=True):
    if logarithmic:
        axes.set_yscale("log")
        low, high = axes.get_ylim()
        if high < 100 * low:  # a short range needs more ticks than powers of ten
            axes.yaxis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
        axes.yaxis.set_minor_formatter(ticker.NullFormatter())
    axes.yaxis.set_major_formatter(ticker.FuncFormatter(lambda seconds, _: time_text(seconds) if seconds else "0"))
    axes.set_ylabel("time of a call")
    axes.grid(axis="y")


def contrast(colour):
    """Dark or light text, the readable one on that colour."""
    red, green, blue = colors.to_rgb(colour)
    return "#111111" if 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 else "#ffffff"


def say(figure, kind, where):
    """Writes under the picture if times are measured, simulated or predicted, and the machine."""
    figure.text(0.01, -0.01, f"{kind}: {where}" if where else kind, fontsize=8, va="top", ha="left", style="italic")


def _repaint(text, ink, paper):
    return text.replace(INK, ink).replace(PAPER, paper)


def plain(text):
    """Matplotlib's SVG with styles as attributes, one font for all, and coordinates of two digits."""
    def attributes(style):
        found = {}
        for name, value in (one.split(": ", 1) for one in style[1].split("; ")):
            if name == "font":
                found |= {"font-weight": "bold"} if re.search(r"\b[6-9]00\b|bold", value) else {}
                found |= {"font-style": "italic"} if "italic" in value else {}
                name, value = "font-size", re.search(r"[\d.]+(?=px)", value)[0]
            found[name] = value
        return " ".join(f'{name}="{value}"' for name, value in found.items())

    def tag(found):
        words = re.sub(r'style="([^"]*)"', attributes, " ".join(found[0].split())).replace(' "', '"')
        words = re.sub(r' (id="[a-zA-Z2.]+_\d+"|transform="rotate\(-0 [^"]*")', "", words)
        words = re.sub(r"(?<=\d\.\d\d)\d+", "", words)
        return re.sub(r"M (\S+) (\S+) L (\S+) \2 L \3 (\S+) L \1 \4 z", r"M\1 \2H\3V\4H\1z", words)  # a rectangle

    text = re.sub(r" *<!--.*?-->\n", "", text[text.index("<svg"):])
    text = re.sub(r"\n\s*", "\n", re.sub(r"<[^>]*>", tag, text))
    text = re.sub(r"<g>\n(<[^>]*/>|<text[^<]*</text>)\n</g>", r"\1", text)
    return text.replace("<svg", "<svg font-family=\"'DejaVu Sans',sans-serif\"", 1)


def svg_text(figure, inline=False, close=True):
    """SVG text of a figure, which is closed afterwards. `inline`: for a page, whose colours it takes."""
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None}, bbox_inches="tight", pad_inches=0.12)
    if close:
        plt.close(figure)
    text = "\n".join(line.rstrip() for line in text.getvalue().splitlines()) + "\n"
    text = plain(re.sub(r" *<metadata>.*?</metadata>\n", "", text, flags=re.DOTALL))
    if inline:
        return _repaint(text, "currentColor", "var(--paper)")
    return re.sub(r"(<svg[^>]*>)", lambda head: head.group(1) + OF_READER, text, count=1)


def picture(figure, ending, dark=False, close=True):
    """Bytes of a picture file: svg, png or pdf. `dark` has no effect on an SVG."""
    if ending == "svg":
        return svg_text(figure, close=close)
    if dark:
        for artist in figure.findobj():
            for get, put in (("get_color", "set_color"), ("get_facecolor", "set_facecolor"), ("get_edgecolor", "set_edgecolor"),
                             ("get_markerfacecolor", "set_markerfacecolor"), ("get_markeredgecolor", "set_markeredgecolor")):
                if hasattr(artist, get) and hasattr(artist, put):
                    try:
                        now = colors.to_hex(getattr(artist, get)())
                    except (TypeError, ValueError):
                        continue  # a collection has several colours
                    if now in (INK, PAPER):
                        getattr(artist, put)(DARK_INK if now == INK else DARK_PAPER)
    data = io.BytesIO()
    figure.savefig(data, format=ending, dpi=160, bbox_inches="tight", pad_inches=0.12, facecolor=DARK_PAPER if dark else PAPER)
    if close:
        plt.close(figure)
    return data.getvalue()
