# SPDX-License-Identifier: Apache-2.0
"""Looks at pages and pictures in Chromium without a window, by its DevTools protocol.

usage: browser.py [FILE...]             for each file, in light, dark and print, a line of JSON: `complaints` of
                                        the console, further requests (`asked`), and the visible parts (LOOK)
       browser.py --shot PNG FILE [--dark]   a picture of it

Exits with 77 at once if there is no Chromium.
"""
import argparse
import base64
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

# Names of the figures; number of pictures, and of visible pictures with text; horizontal scrolling; dark
# paper, and its contrast with ink.
LOOK = """(() => {
    const parts = colour => colour.match(/[0-9.]+/g).map(Number);
    const light = colour => {
        const [red, green, blue] = parts(colour).map(part => part <= 10 ? part / 3294 : ((part / 255 + 0.055) / 1.055) ** 2.4);
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
    };
    const root = document.body || document.documentElement, {color, backgroundColor: paper} = getComputedStyle(root);
    const ink = document.body ? color : getComputedStyle(root.querySelector('text')).fill;
    const pictures = document.body ? [...document.querySelectorAll('figure svg')] : [root];
    const texts = picture => [...picture.querySelectorAll('text')].filter(text => text.getBBox().width > 0);
    const seen = picture => { const box = picture.getBoundingClientRect(); return box.width > 100 && box.height > 50 && texts(picture).length > 0; };
    return {figures: [...document.querySelectorAll('figure')].map(figure => figure.id), pictures: pictures.length, seen: pictures.filter(seen).length,
            wide: document.documentElement.scrollWidth > window.innerWidth, dark: light(paper) < 0.2,
            contrast: Math.max(light(ink) / light(paper), light(paper) / light(ink))};
})()"""


class Browser:
    def __init__(self, program):
        """Sends the browser's network requests to a port without a listener."""
        self.folder, self.last, self.events = tempfile.TemporaryDirectory(), 0, []
        its, mine = os.pipe()
        answers, its_answers = os.pipe()
        command = [program, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe", "--proxy-server=127.0.0.1:9",
                   f"--user-data-dir={self.folder.name}"]
        self.process = subprocess.Popen(["bash", "-c", f'exec "$@" 3<&{its} 4>&{its_answers}', "bash", *command], pass_fds=(its, its_answers),
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(its), os.close(its_answers)
        self.to, self.back = os.fdopen(mine, "wb"), os.fdopen(answers, "rb")
        self.session = None
        target = self("Target.createTarget", url="about:blank")["targetId"]
        self.session = self("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Log", "Runtime"):
            self(f"{domain}.enable")

    def message(self):
        text = bytearray()
        while (byte := self.back.read(1)) != b"\0":
            if not byte:
                sys.exit("Chromium has ended")
            text += byte
        return json.loads(text)

    def __call__(self, method, **parameters):
        self.last += 1
        message = {"id": self.last, "method": method, "params": parameters} | ({"sessionId": self.session} if self.session else {})
        self.to.write(json.dumps(message).encode() + b"\0")
        self.to.flush()
        while (answer := self.message()).get("id") != self.last:
            self.events.append(answer)
        if "error" in answer:
            sys.exit(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def open(self, file, medium):
        """Returns when it is loaded. `medium`: light, dark or print."""
        self.events = []
        self("Emulation.setEmulatedMedia", media="print" if medium == "print" else "screen",
             features=[{"name": "prefers-color-scheme", "value": "light" if medium == "light" else "dark"}])
        self("Page.navigate", url=pathlib.Path(file).resolve().as_uri())
        while not any(event["method"] == "Page.loadEventFired" for event in self.events):
            self.events.append(self.message())

    def seen(self, file, medium):
        self.open(file, medium)
        look = self("Runtime.evaluate", expression=LOOK, returnByValue=True)
        found = look["result"].get("value") or {"complaints": [look["exceptionDetails"]["exception"]["description"]]}
        complaints, asked, own = found.pop("complaints", []), [], pathlib.Path(file).resolve().as_uri()
        for event in self.events:
            what = event["params"]
            if event["method"] == "Network.requestWillBeSent" and what["request"]["url"] != own:
                asked.append(what["request"]["url"])
            elif event["method"] == "Log.entryAdded":
                complaints.append(what["entry"]["text"])
            elif event["method"] == "Runtime.consoleAPICalled":
                complaints.append(" ".join(str(one.get("value")) for one in what["args"]))
            elif event["method"] == "Runtime.exceptionThrown":
                complaints.append(what["exceptionDetails"]["text"])
        return {"file": str(file), "medium": medium, "complaints": complaints, "asked": asked} | found

    def close(self):
        self.session = None
        self("Browser.close")
        self.process.wait()
        self.folder.cleanup()


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("files", nargs="*")
    parser.add_argument("--shot")
    parser.add_argument("--dark", action="store_true")
    given = parser.parse_args()
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        print("skipped: there is no Chromium")
        sys.exit(77)
    if not given.files:
        return
    browser = Browser(program)
    if given.shot:
        browser.open(given.files[0], "dark" if given.dark else "light")
        whole = browser("Page.getLayoutMetrics")["cssContentSize"]
        shot = browser("Page.captureScreenshot", captureBeyondViewport=True, clip={"x": 0, "y": 0, "width": whole["width"], "height": whole["height"], "scale": 1})
        pathlib.Path(given.shot).write_bytes(base64.b64decode(shot["data"]))
    else:
        for file in given.files:
            for medium in ("light", "dark", "print"):
                print(json.dumps(browser.seen(file, medium)))
    browser.close()


main()
