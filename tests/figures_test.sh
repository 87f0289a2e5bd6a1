#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# echelon plot and echelon report draw every figure of their files, mark each as measured, simulated or
# predicted, and use no network; unreadable and unwritable files are one sentence.
# shellcheck source-path=SCRIPTDIR source=drop_in/drop_in.sh
. "$TEST_SOURCE/tests/drop_in/drop_in.sh"
# shellcheck source-path=SCRIPTDIR source=support/report_files.sh
. "$TEST_SOURCE/tests/support/report_files.sh"
"$tool" plot "${files[@]}" -o pictures --format svg,png,pdf >drawn || fail "plot ends with an error"
"$tool" plot two.csv -o table >drawn_of_table || fail "plot cannot read CSV"
"$tool" simulate -p 4 --ranks-per-node 2 --quiet --trace simulated.json 'lanes(node, ring, ring)' >/dev/null || fail "no simulated trace"
"$tool" plot simulated.json -o replayed --format svg >/dev/null || fail "plot cannot read a simulated trace"
"$tool" report "${files[@]}" -o page/report.html >/dev/null || fail "report ends with an error"
python3 - <<'PYTHON' || fail "the pictures or the page are not as they should be"
import html.parser, pathlib, re
import xml.etree.ElementTree as tree
kinds = {"application_sums": "measured", "time_reduce_2": "measured", "time_reduce_16": "simulated", "time_allreduce_4": "simulated", "speedup_allreduce_simulated": "simulated", "speedup_reduce_measured": "measured",
         "speedup_reduce_simulated": "simulated", "groups_reduce_8_16": "simulated", "groups_reduce_64K_16": "simulated", "regret_16": "simulated",
         "decisions_reduce": "predicted", "penalties_reduce": "predicted", "time_reduce_16_4x4": "measured",
         "libraries": "simulated", "timeline": "measured"}
drawn = {pathlib.Path(line).name for line in open("drawn").read().split()}
assert drawn == {f"{name}.{ending}" for name in kinds for ending in ("svg", "png", "pdf")}, drawn
def asks_nobody(text, what):
    assert not re.search(r"<(script|image|img|link|iframe)\b|@import|url\((?!#)", text), what
    assert not [one for one in re.findall(r"""(?:src|href)=["']([^"']*)""", text) if not one.startswith("#")], what
words = lambda text: " ".join(tree.fromstring(text.replace("<!DOCTYPE svg", "<!DOCTYPE svg")).itertext())
for name, kind in kinds.items():
    text = open(f"pictures/{name}.svg").read()
    said = words(re.sub(r"<!DOCTYPE[^>]*>", "", text, count=1))
    assert kind in said and "prefers-color-scheme" in text, (name, said)
    assert "var(" not in text and "currentColor" not in text, f"{name} is black where there are no CSS variables"
    asks_nobody(re.sub(r"<!DOCTYPE[^>]*>", "", text, count=1), name)
    assert open(f"pictures/{name}.png", "rb").read(8) == b"\x89PNG\r\n\x1a\n" and open(f"pictures/{name}.pdf", "rb").read(5) == b"%PDF-", name
    if name.startswith("time_"):
        assert "bytes" in said and re.search(r"\d (us|ms|s|ns)\b", said), said
assert "bcast chain" in words(re.sub(r"<!DOCTYPE[^>]*>", "", open("pictures/timeline.svg").read(), count=1))
said = words(re.sub(r"<!DOCTYPE[^>]*>", "", open("replayed/timeline.svg").read(), count=1))
assert all(one in said for one in ("reduce_scatter ring", "allgather ring", "send", "simulated: allreduce lanes(node, ring, ring), 4 ranks")), said
assert "least at G=4" in words(re.sub(r"<!DOCTYPE[^>]*>", "", open("pictures/groups_reduce_8_16.svg").read(), count=1))
text = open("page/report.html").read()
asks_nobody(text, "the page")
class Page(html.parser.HTMLParser):
    ids, figures, text = [], 0, ""
    def handle_starttag(self, tag, attributes):
        self.ids += [value for name, value in attributes if name == "id"]
        self.figures += tag == "figure"
    def handle_data(self, data): self.text += data + " "
page = Page()
page.feed(text)
assert page.figures == len(kinds) and len(page.ids) == len(set(page.ids)), (page.figures, len(page.ids), len(set(page.ids)))
for words in ("What ran, and why", "The machine", "Why each choice", "by the", "Learnt in running programs", "6 samples, 1 learnt decision, 0 rules.", "What was saved is not known", "The fastest"):
    assert words in page.text, words
PYTHON
"$tool" plot summary.json -o again >/dev/null && cmp pictures/application_sums.svg again/application_sums.svg || fail "the same data give another picture"
said=$(HOME=/proc/none "$tool" plot summary.json -o homeless 2>&1 >/dev/null)
[ -z "$said" ] || fail "without a home it says: $said"
# A table of simulated times makes a picture for each number of ranks.
"$tool" simulate -p 4,8 -b 8,1K 'ring; rabenseifner' >simulated.csv
[ "$("$tool" plot simulated.csv -o simulated | sort | xargs)" = "simulated/time_allreduce_4.svg simulated/time_allreduce_8.svg" ] || fail "pictures of simulated times"
grep -q "confidence" simulated/time_allreduce_8.svg && fail "a simulated time has no interval"
# Map and page show the ratio of the medians, beside noisy single ratios.
python3 - <<'PYTHON'
import json
machine = json.load(open("sixteen.json"))["machine"]
rows = [{"collective": "reduce", "bytes": size, "ranks": 16, "recipe": recipe, "source": "library" if recipe == "native" else "hint", "correct": True, "median_s": seconds,
         "low_s": 0.8 * seconds, "high_s": 1.25 * seconds, "speedup": speedup, "speedup_low": speedup, "speedup_high": speedup}
        for size in (8, 64) for recipe, seconds, speedup in (("native", 6e-4, 1), ("ring", 3e-4, 9.9), ("binomial", 2e-4, 2.2))]
json.dump({"finished": True, "machine": machine, "results": rows, "skipped": []}, open("noisy.json", "w"))
PYTHON
"$tool" plot noisy.json -o noisy --only speedup >/dev/null && "$tool" report noisy.json -o noisy.html >/dev/null || fail "noisy results are not drawn"
[ "$(grep -o '>3</text>' noisy/speedup_reduce_simulated.svg | wc -l)" -eq 2 ] && ! grep -qE '>(9\.9|2\.2)</text>' noisy/speedup_reduce_simulated.svg || fail "the map shows another ratio than that of the medians"
grep -q '3\.00 (1\.92 to 4\.69)' noisy.html || fail "the page shows another ratio than that of the medians"
# A profile beside the results: its predictions for each G, and its choice. A measured profile has no
# predictions for simulated ranks.
"$tool" plot sixteen.json model.json -o predicted --only groups >/dev/null || fail "plot of results and a profile ends with an error"
"$tool" explain --profile model.json --layout 4x4 -c reduce -b 64K --json --recipes "$(printf 'leaders(G=%d,chain(seg=4K),ring);' 2 4 8)" >explained.json || fail "nothing is explained"
python3 - <<'PYTHON' || fail "predictions are not drawn, or not as the profile says"
import json, re
import xml.etree.ElementTree as tree
def picture(folder):
    return tree.fromstring(re.sub(r"<!DOCTYPE[^>]*>", "", open(f"{folder}/groups_reduce_64K_16.svg").read(), count=1))
said = " ".join(picture("predicted").itertext())
assert "leaders(G, chain(seg=4K), ring), predicted" in said and "hollow: predicted by the profile model.json" in said, said
assert "predicted" not in " ".join(picture("pictures").itertext()), "by a profile of other ranks"
told = json.load(open("explained.json"))
times = [one["predicted_s"] for one in told["asked"]]
assert len(times) == 3 and len(set(times)) > 1, times
assert "chosen by the profile: leaders(node, chain, binomial)" in said and told["groups"] == 4, (told["groups"], said)
# Points of each line: the simulated ones calibrate heights to times, which fixes the places of the profile's
# predictions.
paths = [(path.get("stroke"), path.get("stroke-dasharray") or "", [tuple(map(float, point)) for point in re.findall(r"[ML] (\S+) (\S+)", path.get("d"))]) for path in picture("predicted").iter() if path.tag.endswith("}path") and path.get("clip-path")]
hollow, full = ([points for colour, dashes, points in paths if colour == "#0077bb" and bool(dashes) == dashed and len(points) == 3] for dashed in (True, False))
assert len(hollow) == len(full) == 1, paths
(_, at_2), (x_of_4, at_4), (_, at_8) = full[0]
per_second = (at_4 - at_2) / 2e-4
assert abs((at_4 - at_8) / 3e-4 / per_second - 1) < 1e-3, full
for (_, y), seconds in zip(hollow[0], times):
    assert abs(at_4 - (seconds - 5e-5) * per_second - y) < 0.1, (y, seconds)
assert any(dashes.startswith("1.6") and [x for x, _ in points] == [x_of_4, x_of_4] for _, dashes, points in paths), "no line at the chosen G"
PYTHON
# refused CODE SENTENCE WORDS...
refused() {
    local code=0
    "$tool" "${@:3}" >output 2>&1 || code=$?
    [ $code -eq "$1" ] && grep -qF "$2" output || fail "${*:3}: ends with $code, says $(cat output)"
}
echo '{"a": 1}' >other.json
refused 2 "other.json is none of" plot other.json
# Files of a wrong form were passed over, or ended in a traceback.
echo '{"echelon_profile": 9}' >other.json
refused 2 "profile other.json: its format is version 9, and this Echelon reads version 1" plot other.json
echo '{"echelon_profile": 1, "samples": [{"collective": "reduce", "p": 4}]}' >other.json
refused 2 "profile other.json: samples[0]: 'layout' is missing" plot two.json other.json
refused 2 "profile other.json: samples[0]: 'layout' is missing" report other.json
echo '{"summary": 1, "totals": {}}' >other.json
refused 2 "other.json is damaged, or of another version of Echelon: 'mpi' is missing" plot other.json
echo '{"results": [3], "machine": {}}' >other.json
refused 2 "other.json is damaged, or of another version of Echelon: a value is of another kind" plot other.json
sed '$s/,[^,]*,[^,]*$//' two.csv >cut.csv
refused 2 "cut.csv, line $(wc -l <two.csv): fewer fields than names in line 1" plot cut.csv
: >other.json
refused 2 "other.json is empty" plot other.json
echo '{"echelon_profile": 1}' >other.json
refused 1 "no picture of other.json: too few results" plot other.json summary.json
[ "$(grep -c application_sums.svg output)" -eq 1 ] || fail "one file without a picture hides those of another"
refused 2 "missing.json cannot be read: No such file" report missing.json
refused 2 "'gif' is none of svg, png, pdf" plot two.json --format gif
refused 2 "unrecognised option '--formt'; did you mean --format? See echelon plot --help" plot two.json --formt png
refused 1 "give no picture with 'groups'" plot two.json --only groups
refused 1 "cannot be written" report two.json -o /proc/none/report.html
exit "$failures"
