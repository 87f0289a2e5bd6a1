# SPDX-License-Identifier: Apache-2.0
"""Lines over numbers as a picture (SVG), for the studies in docs/results."""
import html
import math

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")


def _ticks(low, high):
    """Round numbers from 0 on."""
    step = 10 ** math.floor(math.log10((high - low) / 4))
    step = next(step * k for k in (1, 2, 5, 10) if (high - low) / (step * k) <= 5)
    return [low + i * step for i in range(int((high - low) / step + 1e-9) + 1)]


def line_plot(title, x_label, y_label, lines, width=720, height=420):
    """`lines`: name -> [(x, y)]. One y alone, as [(None, y)], is a level across. The x axis is logarithmic (base 2), the y axis
    begins at 0."""
    left, right, top, bottom = 70, 20, 40, 60 + 18 * len(lines)
    xs = sorted({x for points in lines.values() for x, _ in points if x is not None})
    most = max(y for points in lines.values() for _, y in points) * 1.08
    span = max(math.log2(xs[-1] / xs[0]), 1e-9)
    height += 18 * len(lines)

    def at(x, y):
        return (left + (width - left - right) * math.log2(x / xs[0]) / span, top + (height - top - bottom) * (1 - y / most))

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
           'font-family="sans-serif" font-size="12">', f'<rect width="{width}" height="{height}" fill="white"/>',
           f'<text x="{width / 2}" y="22" text-anchor="middle" font-size="14">{html.escape(title)}</text>']
    for y in _ticks(0, most):
        _, level = at(xs[0], y)
        out.append(f'<path d="M{left} {level:.1f}H{width - right}" stroke="#ddd"/>'
                   f'<text x="{left - 6}" y="{level + 4:.1f}" text-anchor="end">{y:g}</text>')
    base = height - bottom
    for x in xs:
        place, _ = at(x, 0)
        out.append(f'<path d="M{place:.1f} {base}v5" stroke="black"/>'
                   f'<text x="{place:.1f}" y="{base + 18}" text-anchor="middle">{x:g}</text>')
    out.append(f'<text x="{(left + width - right) / 2}" y="{base + 36}" text-anchor="middle">{html.escape(x_label)}</text>'
               f'<text transform="translate(18 {(top + base) / 2}) rotate(-90)" text-anchor="middle">{html.escape(y_label)}</text>'
               f'<path d="M{left} {top}V{base}H{width - right}" fill="none" stroke="black"/>')
    for i, (name, points) in enumerate(lines.items()):
        colour = COLOURS[i % len(COLOURS)]
        level = points[0][0] is None
        places = [at(x, y) for x, y in ([(xs[0], points[0][1]), (xs[-1], points[0][1])] if level else points)]
        out.append(f'<path d="M{"L".join(f"{x:.1f} {y:.1f}" for x, y in places)}" fill="none" stroke="{colour}" stroke-width="2"'
                   f'{" stroke-dasharray=" + chr(34) + "6 4" + chr(34) if level else ""}/>')
        if not level:
            out += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in places]
        entry = base + 58 + 18 * i
        out.append(f'<path d="M{left} {entry - 4}h24" stroke="{colour}" stroke-width="2"{" stroke-dasharray=" + chr(34) + "6 4" + chr(34) if level else ""}/>'
                   f'<text x="{left + 32}" y="{entry}">{html.escape(name)}</text>')
    return "\n".join(out + ["</svg>", ""])
