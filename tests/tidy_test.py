#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The project's style in one table of rules (RULES, at the end). Each rule first has to find the violations that
are planted in its row. Then it reads all files that git knows, and new ones that git does not ignore."""
import collections
import concurrent.futures
import functools
import os
import pathlib
import posixpath
import re
import shutil
import subprocess
import sys
import tempfile

CLANG_FORMAT = shutil.which("clang-format") or shutil.which("clang-format-14")
WIDTH, MOST_VAGUE, MOST_HEADLESS, SHORT_TEXT = 110, 8, 5, 100  # columns; per 1000 words; percent; words
MOST_ON_PAGE = 430  # words of a page of results beside its tables
# A vague word names no thing. A headless sentence begins with one of these words in place of its noun.
VAGUE = set("nobody somebody anybody such who whoever whom what whatever those so".split())
HEADLESS = re.compile(r"(Of|By|So|The same|What|Who|Whether|That|As|Where|None|Nothing|Else|Those|Such|Nor|Nullptr|Nullopt)\b")
HISTORY = re.compile(r"\b(no\s+longer(?!\s+than)|any\s+more|used\s+to\s+be|at\s+commit|previously|before\s+it\s+was|formerly)\b", re.I)
MACHINE_PATH = re.compile(r"(?<![\w./])/(?:tmp|mnt|root)/\w+")
STREAMS = re.compile(r"stringstream\b|\b(?:stod|strtod|setprecision)\b")


def table_of_rooms():
    """Rooms in order. A room includes itself and rooms named beside it, all above it: no circle can exist."""
    rooms = {}

    def add(names, includes):
        assert set(includes) <= set(rooms), f"{names} may only include rooms above"
        rooms.update({name: set(includes) for name in names.split()})

    add("core", [])
    add("flat groups shm", ["core"])
    add("hier", ["core", "flat", "groups"])
    for name, others in {"network": "", "simulator": "network", "profile": "network", "price": "network simulator profile",
                         "fit": "network profile price", "choice": "network profile price fit"}.items():
        add(f"estimators/{name}", ["core", "flat", "groups", "hier"] + [f"estimators/{other}" for other in others.split()])
    for name in "mpi settings job report cache tuner front measure api".split():
        add(name, list(rooms))
    library = list(rooms)
    add("options", ["core"])
    add("pmpi", library)
    add("apps bench", library + ["options"])
    return rooms


ROOMS = table_of_rooms()
FOLDERS_OF_ROOMS = re.compile(r"(src|hier|groups|cache|estimators|apps|bench)/")
C_COMMENT = re.compile(r'R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|//[/!<]* ?(?P<line>[^\n]*)|/\*+(?P<block>.*?)\*/', re.S)
HASH_COMMENT = re.compile(r'^[ \t]*"""(?P<block>.*?)"""|""".*?"""|(?:^|(?<=\s))#+ (?P<line>[^\n]*)', re.S | re.M)


def kind(name, text):
    """Kind of a file: "C", "build" (CMake), "script", "page"; "" for data and all other files."""
    ending = posixpath.splitext(name)[1]
    by_ending = {".cpp": "C", ".hpp": "C", ".c": "C", ".h": "C", ".cmake": "build", ".sh": "script", ".py": "script", ".bash": "script", ".md": "page"}
    default = "build" if name.endswith("CMakeLists.txt") else "script" if ending == "" and text.startswith("#!") else ""
    return by_ending.get(ending, default)


@functools.lru_cache(maxsize=None)
def prose(name, text):
    """Paragraphs of a page or comments of a source, each on its own line of the file; all else is blank."""
    if kind(name, text) == "page":
        text = re.sub(r"```.*?```", lambda code: "\n" * code[0].count("\n"), text, flags=re.S)
        return "\n".join("" if line.startswith(("    ", "|", "#")) else line for line in text.split("\n"))
    pattern = {"C": C_COMMENT, "build": HASH_COMMENT, "script": HASH_COMMENT}.get(kind(name, text), re.compile("$^"))
    kept, end = [], 0
    for found in pattern.finditer(text):
        comment = found["line"] or found["block"] or ""
        kept += ["\n" * text.count("\n", end, found.start()), comment, "\n" * (found[0].count("\n") - comment.count("\n"))]
        end = found.end()
    return "".join(kept)


def room_of(path):
    """The room of a file or include: src/flat/x.cpp and flat/x.hpp are in flat; "" outside of the rooms."""
    parts = posixpath.dirname(path).removeprefix("src/").split("/")
    return next((room for room in ("/".join(parts[:n]) for n in range(1, len(parts) + 1)) if room in ROOMS), "")


def objection(name, room, mark, path):
    """The reason for which the file `name` of `room` may not include `path`; "" if it may."""
    if path == "mpi.h" and "shm" not in ROOMS[room]:
        return f"{room} knows no MPI"
    if path == "hwloc.h" and room != "groups":
        return "only groups knows hwloc"
    is_public = path.startswith("echelon/")
    entered = "api" if is_public else room_of(path)
    if not entered:
        return 'a quoted include names its room, as in "core/link.hpp"' if mark == '"' else ""
    if name.startswith("src/api/include/") and not is_public:
        return "a public header includes no header of a room: rooms are not installed"
    return "" if entered == room or entered in ROOMS[room] else f"{room} does not include {entered}"


def rooms(files):
    knowing_hwloc = set()
    for name, text in files.items():
        if not FOLDERS_OF_ROOMS.match(name) or kind(name, text) != "C" and not name.endswith(".in"):
            continue
        if not room_of(name):
            yield f"{name}:1: the file stands in no room"
            continue
        for found in re.finditer(r'^[ \t]*#[ \t]*include[^"<\n]*(["<])([^">\n]*)', text, re.M):
            why = objection(name, room_of(name), *found.groups())
            if found[2] == "hwloc.h":
                knowing_hwloc.add(name)
                why = why or ("hwloc.h is included in more than one file" if len(knowing_hwloc) > 1 else "")
            if why:
                line = 1 + text.count("\n", 0, found.start(1))
                yield f"{name}:{line}: {why}"


def rows_below(heading, text):
    """The rows of all tables whose first line begins with `heading`, each with its line and its columns."""
    inside = False
    for number, line in enumerate(text.splitlines(), 1):
        inside = line.startswith(heading) or inside and line != ""
        if inside:
            yield number, line.split("|") + [""] * 4


def circles(files):
    """A unit is a header and a source of one name."""
    units, uses = {posixpath.splitext(name)[0] for name in files}, collections.defaultdict(set)
    for name, text in files.items():
        if FOLDERS_OF_ROOMS.match(name) and kind(name, text) == "C":
            unit = posixpath.splitext(name)[0]
            for included in re.findall(r'^\s*#\s*include\s*"([^"]+)"', text, re.M):
                uses[unit] |= {place + posixpath.splitext(included)[0] for place in ("", "src/")} & units - {unit}

    @functools.lru_cache(maxsize=None)
    def reached(unit):
        found, ahead = set(), [unit]
        while ahead:
            new = uses.get(ahead.pop(), set()) - found
            found |= new
            ahead += new
        return found
    for unit in sorted(uses):
        if circle := [other for other in sorted(uses[unit]) if unit in reached(other)]:
            yield f"{unit}:1: it includes {', '.join(circle)} in a circle"


def readmes(files):
    enum = re.search(r"^enum class Collective.*?^}", files.get("src/core/collective.hpp", ""), re.S | re.M)
    collectives = "|".join(re.findall(r"^ +([a-z_]+)", enum[0], re.M)) if enum else "no collective"
    folders = {found[1] for found in (re.match(r"((src|estimators)/[^/]+|bench|cache|groups|hier)/", name) for name in files) if found}
    folders |= {posixpath.dirname(name) for name in files if re.match(r"src/.*/README\.md$|bench/studies/", name)}
    for folder in sorted(folders):
        readme = f"{folder}/README.md"
        if readme not in files:
            yield f"{readme}:1: the folder has no README.md"
            continue
        named = [(number, word) for number, columns in rows_below("| file |", files[readme]) if columns[1].startswith(" `")
                 for word in re.split(r"[ ,`]+", columns[1]) if word]
        here = [name for name in files if posixpath.dirname(name) == folder and re.search(r"/([^/.]+|[^/]+\.(cpp|hpp|c|py))$", name)]
        if not here:
            yield f"{readme}:1: the folder has no files"
        for stem in sorted({posixpath.basename(name).rsplit(".", 1)[0] for name in here}):
            lines = [number for number, word in named if word == stem]
            # The README of src/flat has a pattern for the files of each collective.
            if len(lines) == 1 or folder == "src/flat" and re.fullmatch(f"({collectives})(_.*)?", stem):
                continue
            yield f"{readme}:{lines[-1]}: {stem} is named more than once" if lines else f"{readme}:1: {stem} is in the folder, but not named"
        for number, word in named:
            path = f"{folder}/{word}"
            if not re.search(r"[<./]", word) and not any(name == path or name.startswith((path + ".", path + "/")) for name in files):
                yield f"{readme}:{number}: {word} is named, but not in the folder"


def result_figures(files):
    readme, figures = "docs/results/README.md", 0
    for number, columns in rows_below("| question ", files[readme]):
        pages = {f"docs/results/{page}" for page in re.findall(r"[a-z_]+\.md", columns[3])}
        for figure in re.findall(r"\*\*([^*]+)\*\*", columns[2]):
            figures += 1
            pattern = r"(^|[^0-9.])" + re.sub(r"\\?[ ._]", ".", re.escape(figure)) + r"([^0-9]|$)"
            if not any(re.search(pattern, files.get(page, ""), re.M) for page in pages):
                yield f"{readme}:{number}: no page says {figure}"
    if figures == 0:
        yield f"{readme}:1: the answers hold no figures"


def result_pages(files):
    for name, text in files.items():
        if re.match(r"docs/results/(?!README).*\.md$", name):
            count = len(re.findall(r"\w\S*", re.sub(r"^(\||    ).*", "", text, flags=re.M)))
            if count > MOST_ON_PAGE:
                yield f"{name}:1: {count} words beside tables; at most {MOST_ON_PAGE} may be"
            if not re.search(r"^\*\*Answer\.\*\*", text, re.M):
                yield f"{name}:1: the page has no answer"


def words(files):
    counts = collections.defaultdict(collections.Counter)
    for name, text in files.items():
        text = re.sub(r"SPDX-License-Identifier: \S+|clang-format (on|off)|`[^`]*`|\]\([^)]*\)", " ", prose(name, text))
        sentences = [one.strip() for one in re.split(r"(?<=[.;:!?])\s+", text) if len(one.split()) > 2]
        all_words = re.findall(r"(?<!\w\.)\b[a-z']+", text.lower())  # without file endings
        found = {"words": len(all_words), "vague": sum(word in VAGUE for word in all_words), "sentences": len(sentences),
                 "headless": sum(bool(HEADLESS.match(one)) for one in sentences)}
        room = re.match(r"(src|estimators)/[^/]+(?=/)|[^/]+(?=/)|", name)[0] or "."
        for counted in (name, room) if len(all_words) > SHORT_TEXT else (room,):
            counts[counted].update(found)
    for counted, found in counts.items():
        vague, headless = 1000 * found["vague"] / max(found["words"], 1), 100 * found["headless"] / max(found["sentences"], 1)
        if vague > MOST_VAGUE:
            yield f"{counted}:1: {vague:.1f} of 1000 words are vague; at most {MOST_VAGUE} may be"
        if headless > MOST_HEADLESS:
            yield f"{counted}:1: {headless:.0f} % of the sentences have no subject; at most {MOST_HEADLESS} % may have none"


def comment_width(files):
    for name, text in files.items():
        fenced, comments = False, prose(name, text) if kind(name, text) == "C" else ""
        for number, (line, comment) in enumerate(zip(text.split("\n"), comments.split("\n")), 1):
            fenced = "clang-format off" in comment or fenced and "clang-format on" not in comment
            if comment.strip() and len(line) > WIDTH and not fenced:
                yield f"{name}:{number}: the comment is {len(line)} columns wide; {WIDTH} are the most"


def phrases(pattern, sentence, checks_pages, files):
    for name, text in files.items():
        if kind(name, text) != "page":
            text = re.sub(r"`[^`\n]*`", " ", prose(name, text))
        elif not checks_pages:
            continue
        for found in pattern.finditer(text):
            line, said = 1 + text.count("\n", 0, found.start()), " ".join(found[0].split())
            yield f'{name}:{line}: {sentence}: "{said}"'


def formatted(files):
    names = [name for name, text in files.items() if kind(name, text) == "C"]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        shutil.copy(pathlib.Path(os.environ["TEST_SOURCE"], ".clang-format"), folder)
        for path, text in ((pathlib.Path(folder, name), files[name]) for name in names):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        runs = [pool.submit(subprocess.run, [CLANG_FORMAT, "--dry-run", "-Werror"] + names[first:first + 100], cwd=folder,
                            capture_output=True, text=True) for first in range(0, len(names), 100)]
        places = [place for run in runs for place in re.findall(r"^([^:\n]+):(\d+):\d+: error: ", run.result().stderr, re.M)]
    yield from (f"{name}:{line}: clang-format writes it differently" for name, line in dict(reversed(places)).items())


def licence(files):
    for name, text in files.items():
        lines = [number for number, line in enumerate(text.split("\n"), 1) if re.match(r"(//|/\*|#|!) SPDX-License-Identifier: \S+", line)]
        if kind(name, text) in ("C", "build", "script") and (len(lines) != 1 or lines[0] > 3):
            yield f"{name}:{lines[-1] if lines else 1}: a source has one line with SPDX-License-Identifier, among its first three"


def named_in(files):
    """The files that name a file, with or without its folder. A foreach of CMake counts with all its values."""
    naming = collections.defaultdict(set)
    for name, text in files.items():
        loops = re.findall(r"foreach\((\w+) ([^)$]*)\)", text) if kind(name, text) == "build" else []
        text += "".join(text.replace("${%s}" % variable, value) for variable, values in loops for value in values.split())
        for path in re.findall(r"[\w./-]+", text) if kind(name, text) or name.endswith(".in") else ():
            parts = path.rstrip(".").split("/")
            for said in {parts[-1], "/".join(parts[-2:])}:
                naming[said].add(name)
    return naming


def dead_files(files):
    naming, globbed, included, linked = named_in(files), set(), set(), set()
    for name, text in files.items():
        folder, inner = posixpath.dirname(name), re.search(r"\bFOLDERS ([a-z ]+)", text)
        included.update(re.findall(r'#\s*include\s*["<]([^">]+)', text))
        if kind(name, text) == "page":
            linked |= {posixpath.normpath(f"{folder}/{path}".lstrip("/")) for path in re.findall(r'(?:\]\(|src(?:set)?=")([^)"#\s]+)', text)}
        elif kind(name, text) == "build" and re.search(r"^\s*echelon_room\(|GLOB sources ", text, re.M):
            globbed |= {f"{folder}/*.cpp"} | {f"{folder}/{one}/*.cpp" for one in (inner[1].split() if inner else [])}
        elif kind(name, text) == "script":
            globbed |= {f"{folder}/{one}" for one in re.findall(r"\w+/\*\.c\b", text)}
    for name, text in files.items():
        folder, base = posixpath.split(name)
        (stem, ending), short = posixpath.splitext(base), "/".join(name.split("/")[-2:])
        above = {one for one in naming[base] | naming[stem] if "/" in one and f"{folder}/".startswith(posixpath.dirname(one) + "/")}
        makers = {one for one in above | naming[short] if kind(one, files[one]) in ("build", "script")}
        importing = {one for one in naming[stem] if re.search(rf"^(import|from) {stem}\b", files[one], re.M)}
        is_code = FOLDERS_OF_ROOMS.match(name) or name.startswith("tests/")
        is_included = any(name[start:] in included for start in [0] + [found.end() for found in re.finditer("/", name)])
        if text == "":
            yield f"{name}:1: the file is empty"
        elif is_code and name.endswith((".hpp", ".h")) and not is_included:
            yield f"{name}:1: no file includes this header"
        elif is_code and name.endswith((".cpp", ".c")) and not (is_included or makers or f"{folder}/*{ending}" in globbed):
            yield f"{name}:1: no CMake file or script compiles this source"
        elif name.startswith(("scripts/", "tests/", "bench/studies/")) and kind(name, text) == "script" and name != "scripts/packaging/debian/rules":
            if not (naming[base if "." in base else short] | importing) - {name}:
                yield f"{name}:1: no other file names this script"
        elif name.startswith("docs/") and name not in linked:
            yield f"{name}:1: no page links to this file"


def streams(files):
    for name, text in files.items():
        if re.match("(src/(tuner|front|mpi|job|measure)|cache|estimators/profile)/", name):
            for found in STREAMS.finditer(text):
                yield f"{name}:{1 + text.count(chr(10), 0, found.start())}: '{found[0]}' depends on a locale"


Rule = collections.namedtuple("Rule", "name sentence check violations rejected accepted")
PLAIN = "A rank sends one message to its neighbour. " * 20
README, ANSWERS = "| file | holds |\n|---|---|\n| `a` | one |\n", "| question | answer | pages |\n|---|---|---|\n| How fast? | **1.5 times** | [a](a.md) |\n"
TABLE = "/// Text.\n///\n///   leaders(sqrt, chain(seg=32K), binomial)       reduce inside, operate between the leaders, broadcast inside all\n"
# Each row: name, sentence, function, number of planted violations, rejected files, accepted files.
RULES = [
    Rule("rooms", "A file includes only its own room and rooms above it; few rooms know MPI, one file knows hwloc.", rooms, 11,
         {"src/core/link.hpp": '\n  #  include "flat/catalog.hpp"\n', "src/flat/ring.cpp": '#include "groups/partition.hpp"\n', "bench/main.cpp": '#include "apps/summa.hpp"\n',
          "estimators/network/table.hpp": '#include "estimators/fit/fit.hpp"\n', "estimators/units.hpp": "", "hier/recipe.cpp": "#include <mpi.h>\n",
          "cache/place.cpp": "#include <hwloc.h>\n", "groups/one.cpp": "#include <hwloc.h>\n", "groups/two.cpp": "#include <hwloc.h>\n",
          "src/api/include/echelon/echelon.hpp": '#include "core/error.hpp"\n', "src/api/call.cpp": '#include "call.hpp"\n'},
         {"src/flat/ring.cpp": '#include "flat/catalog.hpp"\n#include "core/link.hpp"\n#include <vector>\n', "groups/machine.cpp": "#include <hwloc.h>\n",
          "src/api/call.cpp": '#include <mpi.h>\n#include "cache/plan.hpp"\n#include <echelon/echelon.hpp>\n'}),
    Rule("circles", "Headers and sources of two names do not include each other, nor in a larger circle.", circles, 3,
         {"src/core/a.cpp": '#include "core/b.hpp"\n', "src/core/a.hpp": "", "src/core/b.hpp": '#include "core/c.hpp"\n', "src/core/c.hpp": "", "src/core/c.cpp": '#include "core/a.hpp"\n', "hier/d.cpp": '#include "core/a.hpp"\n'},
         {"src/core/a.cpp": '#include "core/a.hpp"\n#include "core/b.hpp"\n', "src/core/a.hpp": "", "src/core/b.hpp": '#include "core/c.hpp"\n', "src/core/c.hpp": ""}),
    Rule("readmes", "The README of a room names each of its files once, and no other file.", readmes, 4,
         {"src/core/README.md": README + "| `a`, `gone` | two |\n", "src/core/a.hpp": "", "src/core/b.cpp": "", "estimators/fit/fit.cpp": ""},
         {"src/core/README.md": README + "| `b`, `deep` | two |\n", "src/core/a.hpp": "", "src/core/b.cpp": "", "src/core/deep/c.cpp": ""}),
    Rule("result_figures", "Each figure of docs/results/README.md stands on a page that its row links to.", result_figures, 1,
         {"docs/results/README.md": ANSWERS, "docs/results/a.md": "11.5 times\n"},
         {"docs/results/README.md": ANSWERS, "docs/results/a.md": "It is 1.5 times.\n"}),
    Rule("result_pages", "A page of results has an answer, and is a screen of text beside its tables.", result_pages, 2,
         {"docs/results/a.md": "Text. " * 999}, {"docs/results/a.md": "**Answer.** None.\n" + "| a | b |\n" * 999, "docs/b.md": "Text. " * 999}),
    Rule("words", "Pages and comments hold few vague words, and their sentences begin with their subject.", words, 6,
         {"src/core/a.hpp": f"// {PLAIN} So what nobody sends. Of such, who knows?\n", "docs/a.md": PLAIN * 9 + "By none at all. " * 12},
         {"src/core/a.hpp": f'// {PLAIN}\nconst char* text = "So what, // so what? Nobody, so what!";\n', "docs/a.md": PLAIN + "\n```\nSo what so what.\n```\n"}),
    Rule("comment_width", f"A comment in C or C++ is at most {WIDTH} columns wide, outside of fenced tables.", comment_width, 2,
         {"src/core/a.hpp": f"int a;\n/// {'wide ' * 22}\n", "src/core/b.h": f"int b;  /* {'wide ' * 22} */\n"},
         {"src/core/a.hpp": f'// clang-format off\n/// {"wide " * 22}\n// clang-format on\nauto text = "{"// " * 50}";\n'}),
    Rule("history", "A comment speaks of the present; git keeps the history.",
         functools.partial(phrases, HISTORY, "a comment tells history", False), 3,
         {"src/core/a.hpp": "// It is no\n// longer needed, and\nint a;  // previously it was.\n", "scripts/a.sh": "# This used to be short.\n"},
         {"src/core/a.hpp": '// A message no longer than this.\nauto text = "any more";\n', "docs/a.md": "It no longer waits.\n"}),
    Rule("format", "clang-format agrees with all C and C++ files, and leaves tables in comments alone.", formatted, 1,
         {"src/core/recipe.hpp": TABLE + "struct   Recipe;\n"}, {"src/core/recipe.hpp": TABLE + "struct Recipe;\n"}),
    Rule("dead_files", "Each file is compiled, included, linked or named by another one, and is not empty.", dead_files, 6,
         {"src/core/a.hpp": "int a;\n", "apps/CMakeLists.txt": "foreach(n a)\nadd_executable(${n} ${n}_main.cpp)", "apps/a_main.cpp": "int a;\n", "apps/b_main.cpp": "int b;\n",
          "scripts/gone": "#!/bin/sh\n# scripts/gone\n", "docs/lonely.md": "No page.\n", "tests/gone_test.sh": "true\n", "hier/CMakeLists.txt": ""},
         {"src/core/a.hpp": "int a;\n", "src/core/CMakeLists.txt": "echelon_room(core)\n", "src/core/a.cpp": '#include "core/a.hpp"\n', "scripts/go": "#!/bin/sh\n",
          "README.md": "Run scripts/go. See [it](docs/a.md).\n", "docs/a.md": "It.\n", "tests/fuzz/run.sh": "cc defects/*.c\n", "tests/fuzz/defects/one.c": "int a;\n",
          "tests/CMakeLists.txt": "add_test(fuzz/run.sh)\n"}),
    Rule("licence", "A source names its licence in one line near its top.", licence, 3,
         {"a.cpp": "int a;\n", "a.sh": "\n\n\n# SPDX-License-Identifier: MIT\n", "a.py": "# SPDX-License-Identifier: MIT\n# SPDX-License-Identifier: MIT\n"},
         {"a.cpp": "// SPDX-License-Identifier: MIT\n", "script": "#!/bin/sh\n# SPDX-License-Identifier: MIT\n", "data.csv": "1,2\n"}),
    Rule("machine_paths", "Pages and comments name no path of one machine.",
         functools.partial(phrases, MACHINE_PATH, "the text names a path of one machine", True), 2,
         {"docs/a.md": "    cd /mnt/echelon\n", "src/core/a.hpp": "// The file is /tmp/x.\n"},
         {"tests/a.sh": "echo >/tmp/file\n", "docs/a.md": "    cd /home/me/echelon\n"}),
    Rule("streams", "Text that ranks exchange does not depend on a locale.", streams, 2,
         {"src/tuner/a.cpp": "std::stod(text);\nstd::ostringstream text;\n"}, {"src/report/a.cpp": "std::stringstream text;\n"}),
]


def main():
    root, violations = os.environ["TEST_SOURCE"], 0
    listing = ["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = sorted(set(subprocess.run(listing, check=True, capture_output=True, text=True).stdout.split("\0")))
    files = {name: pathlib.Path(root, name).read_text(errors="replace") for name in names if os.path.isfile(f"{root}/{name}")}
    for rule in RULES:
        if rule.name == "format" and CLANG_FORMAT is None:
            print("format: skipped, clang-format is missing")
            continue
        found, rejected, accepted = list(rule.check(files)), list(rule.check(rule.rejected)), list(rule.check(rule.accepted))
        if len(rejected) != rule.violations or accepted:
            found.append(f"tests/tidy_test.py:1: {len(rejected)} of {rule.violations} planted violations are found, {accepted} should not be: {rejected}")
        violations += len(found)
        if found:
            print(*found, f"    rule {rule.name}: {rule.sentence}", sep="\n")
    print(f"{len(RULES)} rules, {len(files)} files, {violations} violations")
    return int(violations > 0)


if __name__ == "__main__":
    sys.exit(main())
