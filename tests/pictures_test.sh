#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every picture of docs names its times simulated, measured or predicted, like its page does, shows dark ink on
# light paper in a viewer without CSS variables, follows a browser's dark setting, loads nothing and has at most
# 64 KB; a picture that does not is noticed.
set -u
command -v rsvg-convert >/dev/null || { echo "skipped: no rsvg-convert; scripts/setup installs it"; exit 77; }
/usr/bin/python3 -c "import matplotlib" 2>/dev/null || { echo "skipped: no matplotlib"; exit 77; }
cd "$TEST_SOURCE" || exit 1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
wrong_of() {  # FILES: prints a line for each bad one
    /usr/bin/python3 - "$@" <<'PYTHON'
import io, pathlib, re, subprocess, sys
import xml.etree.ElementTree as tree
import matplotlib.image
pages = [page.read_text() for page in pathlib.Path("docs/results").glob("*.md")]
simulated = {name for page in pages if re.search(r"\*\*simulated\*\*", page, re.IGNORECASE) for name in re.findall(r"!\[[^]]*\]\(([^)]*\.svg)\)", page)}
def shares(name):
    """Shares of light and of dark pixels on a white page."""
    drawn = subprocess.run(["rsvg-convert", "--width", "600", "--background-color", "white", name], capture_output=True, check=True).stdout
    brightness = matplotlib.image.imread(io.BytesIO(drawn), format="png")[:, :, :3].mean(axis=2)
    return (brightness > 0.8).mean(), (brightness < 0.4).mean()
for name in sys.argv[1:]:
    text = open(name).read()
    light, dark = shares(name)
    if light < 0.25 or not 0.001 < dark < 0.4:
        print(f"{name} has {light:.0%} light and {dark:.1%} dark pixels")
    if len(text.encode()) > 64 << 10:
        print(f"{name} is larger than 64 KB")
    said = " ".join("".join(element.itertext()) for element in tree.fromstring(text).iter() if element.tag.endswith("}text"))
    if not re.search(r"\b(simulated|measured|predicted)\b", said):
        print(f"{name} does not say whether it is simulated, measured or predicted")
    if "measured" in said and pathlib.Path(name).name in simulated:
        print(f"{name} calls measured what its page says is simulated")
    if "prefers-color-scheme:dark" not in text:
        print(f"{name} is light for all")
    if re.search(r"<(script|image|foreignObject)\b|@import|url\((?!#)|href=[\"'](?!#)", text):
        print(f"{name} loads something")
PYTHON
}
failures=0
mapfile -t pictures < <(git ls-files 'docs/*.svg')
[ ${#pictures[@]} -gt 30 ] || { echo "FAILED: only ${#pictures[@]} pictures were found"; failures=1; }
wrong=$(wrong_of "${pictures[@]}") || failures=1
[ -z "$wrong" ] || { echo "FAILED: $wrong"; failures=1; }

one=docs/results/gains.svg
sed 's/simulated/reckoned/g; s/measured/reckoned/g; s/<svg/<svg id="measured"/' $one >"$folder/silent.svg"
sed 's/prefers-color-scheme:dark/print/' $one >"$folder/light.svg"
sed 's#</svg>#<image href="https://example.org/x.png"/></svg>#' $one >"$folder/loads.svg"
sed 's/simulated/measured/g' docs/results/scaling_cg_gige.svg >"$folder/scaling_cg_gige.svg"
sed 's/"#fefefe"/"var(--paper)"/g' $one >"$folder/black.svg"
{ head -c -7 $one; printf '<!--%070000d--></svg>\n' 0; } >"$folder/large.svg"
for what in "black.svg has" "large.svg is larger" "scaling_cg_gige.svg calls measured" "silent.svg does not say" "light.svg is light for all" "loads.svg loads something"; do
    said=$(wrong_of "$folder/${what%% *}")
    [[ $said = *"/$what"* && $said != *$'\n'* ]] || { echo "FAILED: of ${what%% *} it says: $said"; failures=1; }
done
exit $failures
