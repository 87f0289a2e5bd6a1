#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`echelon plot` and `echelon report`: pictures, and a page of them, from files of Echelon's programs."""
import importlib.util
import json
import logging
import os
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "python"))
import program
import whole_file
from program import FAILED, WRONG_USE


def say(code, sentence):
    program.say(f"echelon {sys.argv[1]}", code, sentence)


def need_matplotlib():
    """Continues with the distribution's python3 if the first one of PATH lacks matplotlib."""
    if importlib.util.find_spec("matplotlib"):
        logging.getLogger("matplotlib").setLevel(logging.ERROR)  # without a home directory it would print its cache's place
        return
    other = "/usr/bin/python3"
    if os.path.exists(other) and os.path.realpath(other) != os.path.realpath(sys.executable):
        os.execv(other, [other, *sys.argv])
    say(WRONG_USE, "needs Python 3 with matplotlib (Debian: python3-matplotlib)")


class Prediction:
    """A profile's answer for a call."""
    def __init__(self, profile, said):
        self.by = f"the profile {pathlib.Path(profile.name).name}"
        self.chosen, self.groups = said["chosen"], said["groups"]
        self.seconds = {one["recipe"]: one["predicted_s"] for one in said["asked"] if "predicted_s" in one}


def explained(tool, profile, collective, size, layout, ranks, recipes=()):
    """Output of `echelon explain`, or None on failure."""
    done = subprocess.run([tool, "explain", "--json", "--profile", profile.name, "-c", collective, "-p", str(ranks), "--layout", layout, "-b", str(size),
                           "--recipes", ";".join(recipes)], capture_output=True, text=True)
    return json.loads(done.stdout) if done.returncode == 0 else None


def predicting(tool, results, all_sources):
    """Predictions for these results by a profile among the files: a measured profile for measured results, a
    simulated one for simulated results."""
    import files
    profile = next((one for one in all_sources if isinstance(one, files.Profile) and one.kind == results.kind), None)

    def predict(collective, size, ranks, recipes):
        if profile is None or results.machine.get("ranks") != ranks or "layout" not in results.machine:
            return None
        said = explained(tool, profile, collective, size, results.machine["layout"], ranks, recipes)
        return said and Prediction(profile, said)
    return predict


def figures_of(tool, source, all_sources):
    """All figures of one file; figures of several files come with the first of them."""
    import draw
    import files
    if isinstance(source, files.Regret):
        yield from draw.regret_map(source)
    elif isinstance(source, files.Results):
        yield from draw.time_against_bytes(source)
        yield from draw.time_against_groups(source, predicting(tool, source, all_sources))
        together = [one for one in all_sources if isinstance(one, files.Results) and not isinstance(one, files.Regret)]
        if source is together[0]:
            yield from draw.speedup_map(together)
    elif isinstance(source, files.Trace):
        together = [one for one in all_sources if isinstance(one, files.Trace)]
        if source is together[0]:
            yield from draw.timeline(together)
    elif isinstance(source, files.Map):
        yield from draw.decision_map(source)
    elif isinstance(source, files.Comparison):
        yield from draw.against_libraries(source)
    elif isinstance(source, files.Profile):
        yield from draw.profile_samples(source)
    elif isinstance(source, files.Summary):
        yield from draw.where_time_went(source)


def explanations(tool, profile):
    """Output of `echelon explain` for the largest communicator whose placement the profile knows."""
    samples = [sample for sample in profile.data.get("samples", []) if "#" not in sample["layout"]]
    if not samples:
        return []
    largest = max(samples, key=lambda sample: sample["p"])
    found = []
    for collective in dict.fromkeys(sample["collective"] for sample in samples):
        for size in sorted({sample["bytes"] for sample in samples if sample["collective"] == collective and sample["p"] == largest["p"]}):
            if said := explained(tool, profile, collective, size, largest["layout"], largest["p"]):
                found.append(why(said, collective, size))
    return found


def why(said, collective, size):
    from style import time_text
    candidates = said["candidates"]
    chosen = next((one for one in candidates if one["recipe"] == said["chosen"]), None)
    native = next((one for one in candidates if one["recipe"] == "native"), None)
    words = f"by the {said['source'].replace('_', ' ')}"
    if chosen and chosen.get("expected_s"):
        words += f": {time_text(chosen['expected_s'])} expected ({chosen['basis']})"
    if native and chosen is not native and native.get("expected_s"):
        words += f", native {time_text(native['expected_s'])} ({native['basis']})"
    second = next((one for one in candidates if one is not chosen and one is not native), None)
    if second and second.get("expected_s"):
        words += f", next {second['recipe']} {time_text(second['expected_s'])}"
    return {"collective": collective, "bytes": size, "chosen": said["chosen"], "why": words}


def read_all(tool, names):
    import files
    try:
        sources = [files.read(name) for name in names]
    except files.Wrong as error:
        say(WRONG_USE, str(error))
    for source in sources:
        if isinstance(source, files.Profile):  # the program's own reader knows a profile's form
            done = subprocess.run([tool, "explain", "-p", "2", "--profile", source.name], capture_output=True, text=True)
            if done.returncode != 0:
                say(WRONG_USE, done.stderr.strip().removeprefix("echelon: "))
    return sources


def made_of(source, make):
    """make(); a file with a wrong form ends the program."""
    import files
    try:
        with files.whole(source.name):
            return make()
    except files.Wrong as error:
        say(WRONG_USE, str(error))


def without_picture(sources, figures):
    """The files that no picture is made of. Results and traces share pictures; a profile may serve results."""
    import files
    shared = {kind for kind in (files.Results, files.Trace) if any(isinstance(source, kind) for source in sources if figures[source])}
    if any(isinstance(source, files.Results) for source in sources):
        shared.add(files.Profile)
    return [source.name for source in sources if not figures[source] and type(source) not in shared]


def writing(write, *arguments):
    try:
        return write(*arguments)
    except OSError as error:
        say(FAILED, whole_file.sentence(error))


def plot(tool, arguments):
    parser = program.Parser(prog="echelon plot", description="Draws all that the files give: results of echelon-bench (--json, --csv), maps of echelon map, tables of echelon compare, "
                                     "profiles, summaries (ECHELON_SUMMARY=json:FILE), traces (ECHELON_TRACE=FILE).")
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("-o", "--output", type=pathlib.Path, default=pathlib.Path("."), metavar="FOLDER", help="where pictures go (here)")
    parser.add_argument("--format", default="svg", help="svg, png, pdf, or several with commas (svg)")
    parser.add_argument("--only", default="", metavar="WORD", help="only pictures whose name has this in it")
    parser.add_argument("--dark", action="store_true", help="light on dark, in PNG and PDF; an SVG follows its reader")
    given = parser.parse_args(arguments)
    formats = given.format.split(",")
    for one in formats:
        if one not in ("svg", "png", "pdf"):
            parser.error(f"--format: '{one}' is none of svg, png, pdf")
    need_matplotlib()
    writing(whole_file.check_writable, given.output / "picture")
    import style
    sources = read_all(tool, given.files)
    drawn, figures = 0, {source: made_of(source, lambda: list(figures_of(tool, source, sources))) for source in sources}
    for source in sources:
        for name, _, figure in figures[source]:
            if given.only not in name:
                style.plt.close(figure)
                continue
            drawn += 1
            for at, ending in enumerate(sorted(formats, key=lambda one: one != "svg")):
                file = given.output / f"{name}.{ending}"
                writing(whole_file.write, file, style.picture(figure, ending, given.dark, close=at == len(formats) - 1))
                print(file)
    if drawn == 0 and given.only and any(figures.values()):
        say(FAILED, f"the files give no picture with '{given.only}' in its name")
    if idle := without_picture(sources, figures):
        say(FAILED, f"no picture of {', '.join(idle)}: too few results")


def report(tool, arguments):
    parser = program.Parser(prog="echelon report", description="Writes one HTML page, which needs nothing but itself, of all that the files give: results of "
                                     "echelon-bench, maps of echelon map, tables of echelon compare, profiles, summaries (ECHELON_SUMMARY=json:FILE), traces (ECHELON_TRACE=FILE).")
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("-o", "--output", type=pathlib.Path, default=pathlib.Path("report.html"), metavar="FILE", help="the page (report.html)")
    parser.add_argument("--title", default="What Echelon did")
    given = parser.parse_args(arguments)
    need_matplotlib()
    writing(whole_file.check_writable, given.output)
    import files
    import page
    sources = read_all(tool, given.files)
    headings = {files.Regret: "What the choice costs", files.Results: "Measurements", files.Map: "What is chosen", files.Comparison: "Beside other libraries", files.Profile: "The machine", files.Summary: "The application", files.Trace: "Timeline"}
    sections = []
    for source in sorted(sources, key=lambda one: not isinstance(one, files.Summary)):
        if isinstance(source, files.Trace) and source is not next(one for one in sources if isinstance(one, files.Trace)):
            continue  # its ranks are in the picture of the first
        words, tables = made_of(source, lambda: page.sections_of(source))
        if isinstance(source, files.Profile):
            tables += page.why_table(explanations(tool, source))
        sections.append((f"{headings[type(source)]}: {pathlib.Path(source.name).name}", source.kind, words, made_of(source, lambda: list(figures_of(tool, source, sources))), tables))
    text = page.page(given.title, sections)
    writing(whole_file.write, given.output, text)
    print(given.output)


def main():
    # `echelon` calls: figures.py plot|report TOOL ARGUMENTS...
    command, tool, arguments = sys.argv[1], sys.argv[2], sys.argv[3:]
    program.run(f"echelon {command}", lambda: {"plot": plot, "report": report}[command](tool, arguments))


main()
