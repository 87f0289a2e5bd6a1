#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# In Chromium the page of echelon report shows every figure, in the reader's light or dark setting and light
# in print, without complaints and without requests. The pictures of docs do too. A page that does not is
# noticed.
python3 "$TEST_SOURCE/tests/browser.py" || exit
# shellcheck source-path=SCRIPTDIR source=drop_in/drop_in.sh
. "$TEST_SOURCE/tests/drop_in/drop_in.sh"
# shellcheck source-path=SCRIPTDIR source=support/report_files.sh
. "$TEST_SOURCE/tests/support/report_files.sh"
files+=(model.json)
"$tool" plot "${files[@]}" -o pictures >drawn || fail "plot ends with an error"
"$tool" report "${files[@]}" -o report.html >/dev/null || fail "report ends with an error"
sed 's#</body>#<figure><svg></svg></figure><script>console.error("spoilt")</script><img src="http://127.0.0.1:9/x.png"></body>#' report.html >spoilt.html
mapfile -t docs < <(git -C "$TEST_SOURCE" ls-files 'docs/*.svg' | sed "s#^#$TEST_SOURCE/#")
python3 "$TEST_SOURCE/tests/browser.py" report.html spoilt.html "${docs[@]}" >seen || fail "Chromium does not look: $(tail -n 3 seen)"
python3 - <<'PYTHON' || fail "not all is as it should be in Chromium"
import json, pathlib
drawn = sorted(pathlib.Path(line).stem for line in open("drawn").read().split())
seen = {}
for line in open("seen"):
    one = json.loads(line)
    seen.setdefault(pathlib.Path(one["file"]).name, {})[one["medium"]] = one
assert len(drawn) > 10 and len(seen) > 30, (drawn, len(seen))
for name, media in seen.items():
    if name == "spoilt.html":
        continue
    assert set(media) == {"light", "dark", "print"}, name
    for medium, one in media.items():
        assert not one["complaints"] and not one["asked"], one
        assert one["pictures"] == one["seen"] >= 1 and one["contrast"] > 7, one
        if medium != "print":
            assert one["dark"] == (medium == "dark"), one
for one in seen["report.html"].values():
    assert sorted(name.rpartition("_")[0] for name in one["figures"]) == drawn, (one["figures"], drawn)
    assert one["pictures"] == len(drawn) and not one["wide"], one
assert not seen["report.html"]["print"]["dark"], "printed dark"
spoilt = seen["spoilt.html"]["light"]
assert any("spoilt" in said for said in spoilt["complaints"]) and spoilt["asked"] == ["http://127.0.0.1:9/x.png"] and spoilt["seen"] == spoilt["pictures"] - 1, spoilt
PYTHON
exit "$failures"
