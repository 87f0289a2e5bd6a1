# SPDX-License-Identifier: Apache-2.0
"""One self-contained HTML page of pictures and tables: no script, no request."""
import html

from files import Comparison, Map, Profile, Regret, Results, Summary
from style import DARK_INK, DARK_PAPER, INK, number_text, size_text, svg_text, time_text

STYLE = f"""
:root{{--ink:{INK};--paper:#ffffff;--line:#d5d6da;--quiet:#5d6067}}
@media screen and (prefers-color-scheme:dark){{:root{{--ink:{DARK_INK};--paper:{DARK_PAPER};--line:#3a3c42;--quiet:#a4a7af}}}}
body{{color:var(--ink);background:var(--paper);font:15px/1.5 system-ui,sans-serif;max-width:64rem;margin:2rem auto;padding:0 1rem}}
h1{{font-size:1.5rem}} h2{{font-size:1.2rem;margin-top:2.4rem;border-bottom:1px solid var(--line)}}
figure{{margin:1.2rem 0;overflow-x:auto}} figure svg{{max-width:100%;height:auto}} figcaption,.quiet{{color:var(--quiet);font-size:.88rem}}
table{{border-collapse:collapse;font-size:.88rem;display:block;overflow-x:auto}} th,td{{padding:.2rem .7rem;border-bottom:1px solid var(--line);text-align:left}}
td.number{{text-align:right;font-variant-numeric:tabular-nums}} code{{font-size:.95em}} .headline{{font-size:1.15rem}}
nav a{{color:inherit;margin-right:1rem;display:inline-block}} @media print{{body{{max-width:none}} figure{{break-inside:avoid}}}}
"""


def table(heads, rows):
    """Aligns numbers right, text left."""
    def cell(value):
        kind = ' class="number"' if isinstance(value, (int, float)) else ""
        return f"<td{kind}>{html.escape(number_text(value) if isinstance(value, float) else str(value))}</td>"
    line = "<tr>" + "".join(f"<th>{html.escape(head)}</th>" for head in heads) + "</tr>" if any(heads) else ""
    return ("<table>" + line +
            "".join("<tr>" + "".join(cell(value) for value in row) + "</tr>" for row in rows) + "</table>")


def of_summary(summary):
    data, totals = summary.data, summary.data["totals"]
    wall, inside = totals["wall_seconds"]["max"], totals["collective_seconds"]["mean"]
    text = f"<code>{html.escape(data['command'])}</code> took {time_text(wall)}, {inside / wall:.0%} of it in collectives." if wall > 0 else ""
    saved = totals["saved"]
    if saved:
        text += (f" Echelon saved {time_text(saved['seconds'])} of {time_text(wall + saved['seconds'])} against the native collectives (trials: "
                 f"{time_text(saved['by_trials'])}, profile: {time_text(saved['by_profile'])}; known of "
                 f"{number_text(totals['calls_compared_with_native'])} of {number_text(totals['calls'])} calls).")
    elif totals["calls_not_native"] == 0:
        text += " All calls ran the MPI library's own collectives."
    else:
        text += " What was saved is not known: neither a trial nor a profile has measured the native collectives."
    text += f" Settling, deciding and trying took {time_text(totals['cost_seconds'])}."
    if not data["finalized"]:
        how = "called MPI_Abort" if data["aborted"] else "was ended by a signal" if data.get("ended_by_signal") else "ended without MPI_Finalize"
        text += f" The program {how}: these are one rank's times."
    rows = []
    for communicator in data["communicators"]:
        for call in communicator["calls"]:
            why = "tried, to compare" if call["tried"] else call["source"] + (f" ({call['refusal']})" if call["refusal"] else "")
            rows.append((call["seconds"], [communicator["name"] or f"of {communicator['ranks']} ranks", call["collective"], f"{size_text(call['from_bytes'])} to {size_text(call['to_bytes'] + 1) if call['to_bytes'] else 0}",
                                           call["calls"], time_text(call["seconds"]), call["recipe"], why]))
    rows = [row for _, row in sorted(rows, key=lambda row: -row[0])]
    most = 20
    shown = table(["communicator", "collective", "bytes, below", "calls", "time on rank " + str(data["rank"]), "recipe", "why"], rows[:most])
    rest = f'<p class="quiet">and {len(rows) - most} rows that took less</p>' if len(rows) > most else ""
    facts = table(["", ""], [[key, str(data[key])] for key in ("began", "ended", "host", "job", "ranks", "nodes", "mpi", "processor", "echelon") if data.get(key)] +
                  [[name, value] for name, value in data["settings"].items()])
    return f'<p class="headline">{text}</p>', f"<h3>What ran, and why</h3>{shown}{rest}<h3>Where</h3>{facts}"


def of_profile(profile):
    mark, parameters = profile.data.get("fingerprint", {}), profile.data.get("parameters", {})
    rows = [[key, ", ".join(value) if isinstance(value, list) else str(value)] for key, value in mark.items()]

    def flat(name, value):
        if isinstance(value, dict):
            for key, inner in value.items():
                yield from flat(f"{name}.{key}" if name else key, inner)
        elif isinstance(value, list):
            yield [name, f"{len(value)} points"] if value and not isinstance(value[0], dict) else [name, "; ".join(", ".join(f"{k} {v:g}" for k, v in one.items()) for one in value)]
        else:
            yield [name, f"{value:.4g}" if isinstance(value, float) else str(value)]
    learned = [[one["collective"], one["p"], one["layout"], f"{size_text(one.get('from', 0))} to {size_text(one['to']) if 'to' in one else 'any'}", one["recipe"],
                time_text(one["seconds"]) if one.get("seconds") else "", time_text(one["native_seconds"]) if one.get("native_seconds") else "not measured"]
               for one in profile.data.get("decisions", [])]
    tables = "<h3>The machine</h3>" + table(["", ""], rows) + ("<h3>Parameters (seconds, bytes)</h3>" + table(["", ""], list(flat("", parameters))) if parameters else "")
    if learned:
        tables += "<h3>Learnt in running programs</h3>" + table(["collective", "ranks", "layout", "bytes", "recipe", "took", "native took"], learned)
    counts = ((len(profile.data.get("samples", [])), "sample"), (len(learned), "learnt decision"), (len(profile.data.get("rules", [])), "rule"))
    return f"<p>{', '.join(f'{count} {what}' + 's' * (count != 1) for count, what in counts)}.</p>", tables


def of_results(results):
    """The fastest of each cell, and the choice that runs by itself."""
    rows = []
    for cell in dict.fromkeys((row["collective"], row["bytes"], row["ranks"]) for row in results.rows):
        of_cell = sorted((row for row in results.rows if (row["collective"], row["bytes"], row["ranks"]) == cell), key=lambda row: row["median_s"])
        native = next((row for row in of_cell if row["source"] == "library"), None)
        best = of_cell[0]
        rows.append([cell[0], size_text(cell[1]), cell[2], best["recipe"], time_text(best["median_s"]), time_text(native["median_s"]) if native else "",
                     f"{native['median_s'] / best['median_s']:.2f} ({native['low_s'] / best['high_s']:.2f} to {native['high_s'] / best['low_s']:.2f})" if native and native is not best else ""])
    command = f"<p><code>{html.escape(results.machine['command'])}</code></p>" if results.machine.get("command") else ""
    return command, "<h3>The fastest</h3>" + table(["collective", "bytes", "ranks", "recipe", "median", "native", "native / fastest"], rows)


def why_table(explanations):
    rows = [[one["collective"], size_text(one["bytes"]), one["chosen"], one["why"]] for one in explanations]
    return "<h3>Why each choice</h3>" + table(["collective", "bytes", "chosen", "why"], rows) if rows else ""


def sections_of(source):
    if isinstance(source, Summary):
        return of_summary(source)
    if isinstance(source, Profile):
        return of_profile(source)
    if isinstance(source, (Regret, Map, Comparison)):
        return "", ""
    return of_results(source) if isinstance(source, Results) else ("", "")


def page(title, sections):
    """`sections`: (heading, kind, words, figures as (name, caption, figure), tables)."""
    parts, links = [], []
    for number, (heading, kind, words, figures, tables) in enumerate(sections):
        links.append(f'<a href="#s{number}">{html.escape(heading)}</a>')
        parts.append(f'<h2 id="s{number}">{html.escape(heading)} <span class="quiet">({kind})</span></h2>{words}')
        for at, (name, caption, figure) in enumerate(figures):
            picture = svg_text(figure, inline=True)
            prefix = f"f{number}_{at}_"  # ids must be unique in the page
            picture = picture.replace('id="', f'id="{prefix}').replace("url(#", f"url(#{prefix}").replace('href="#', f'href="#{prefix}')
            parts.append(f'<figure id="{html.escape(name)}_{number}">{picture}<figcaption>{html.escape(caption)}</figcaption></figure>')
        parts.append(tables)
    return (f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
            f'<meta name="color-scheme" content="light dark"><title>{html.escape(title)}</title><style>{STYLE}</style></head>\n<body><h1>{html.escape(title)}</h1>'
            f'<nav>{" ".join(links)}</nav>\n' + "\n".join(parts) + "\n</body></html>\n")
