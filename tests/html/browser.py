"""A headless Chromium, driven through the pipe of its DevTools protocol: pages, clicks, keys, and what went wrong."""

import base64
import json
import os
import subprocess
import tempfile
import time


class Browser:
    def __init__(self, program):
        self.program = program

    def __enter__(self):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_browser, self.writer = os.pipe()
        self.reader, from_browser = os.pipe()
        # Chromium reads from descriptor 3 and writes to 4. Both are moved out of the way first.
        script = 'exec 3<&"$1" 4>&"$2"; shift 2; exec "$@"'
        self.process = subprocess.Popen(
            ["bash", "-c", script, "bash", str(to_browser), str(from_browser), self.program, "--headless", "--no-sandbox",
             "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage", "--hide-scrollbars", "--remote-debugging-pipe",
             f"--user-data-dir={self.profile.name}", "about:blank"],
            pass_fds=(to_browser, from_browser), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.number, self.received, self.events = 0, b"", []
        return self

    def __exit__(self, *error):
        os.close(self.writer)
        os.close(self.reader)
        self.process.kill()
        self.process.wait()
        self.profile.cleanup()

    def call(self, method, session=None, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.writer, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                assert "error" not in answer, f"{method}: {answer['error']}"
                return answer["result"]
            self.events.append(answer)

    def receive(self):
        while b"\0" not in self.received:
            piece = os.read(self.reader, 1 << 16)
            assert piece, "the browser has gone"
            self.received += piece
        message, self.received = self.received.split(b"\0", 1)
        return json.loads(message)

    def open(self, url, **media):
        return Tab(self, url, **media)


class Tab:
    """A page in the browser, drawn."""

    def __init__(self, browser, url, width=1280, height=1000, scheme="light", medium="screen"):
        self.browser = browser
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.target = target
        self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", media=medium, features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.call("Page.navigate", url=url)
        self.wait_for("document.documentElement?.dataset.ready")

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, result["exceptionDetails"]
        return result["result"].get("value")

    def open_all(self):
        """Every section, as a reader would who reads it all."""
        self.wait_for("document.documentElement.dataset.built")
        self.evaluate("openAllSections()")
        self.evaluate("new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50)))")

    def wait_for(self, expression, seconds=60):
        end = time.monotonic() + seconds
        while not self.evaluate(expression):
            assert time.monotonic() < end, f"never came true: {expression}"
            time.sleep(0.02)

    def click(self, selector):
        """A click where the element is, as by a mouse."""
        x, y = self.evaluate(f"""(() => {{ const one = document.querySelector({json.dumps(selector)});
            one.scrollIntoView({{ block: "center" }});
            const box = one.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }})()""")
        self.click_at(x, y)

    def click_at(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def drag(self, start, end, shift=False):
        """From one point of the window to another."""
        mouse = {"modifiers": 8 if shift else 0, "button": "left", "clickCount": 1}
        self.call("Input.dispatchMouseEvent", type="mousePressed", x=start[0], y=start[1], **mouse)
        for part in (0.3, 0.7, 1):
            x, y = (a + part * (b - a) for a, b in zip(start, end))
            self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y, buttons=1, **mouse)
        self.call("Input.dispatchMouseEvent", type="mouseReleased", x=end[0], y=end[1], **mouse)

    def press(self, key):
        text = key if len(key) == 1 else ""
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, text=text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def type(self, text):
        self.call("Input.insertText", text=text)

    def problems(self):
        """Everything that the console said, and exceptions."""
        found = []
        for event in self.browser.events:
            if event.get("sessionId") != self.session:
                continue
            if event["method"] in ("Runtime.exceptionThrown", "Log.entryAdded", "Runtime.consoleAPICalled"):
                found.append(event["params"])
        return found

    def requests(self):
        return [event["params"]["request"]["url"] for event in self.browser.events
                if event.get("sessionId") == self.session and event["method"] == "Network.requestWillBeSent"]

    def picture(self, path, selector=None):
        """A picture of an element, or of the whole page."""
        box = self.evaluate(f"""(() => {{ const box = document.querySelector({json.dumps(selector or "body")}).getBoundingClientRect();
            return [box.x + scrollX, box.y + scrollY, box.width, box.height]; }})()""")
        clip = dict(zip(("x", "y", "width", "height"), box), scale=1)
        data = self.call("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)
