"""Headless Chromium over its own protocol on a pipe: nothing to install besides the browser."""

import base64
import json
import os
import select
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
_PATIENCE_SECONDS = 60.0


class Browser:
    """One page; `problems` are exceptions and refused loads, `requests` the addresses that were asked for."""

    def __init__(self, profile: Path) -> None:
        assert CHROMIUM is not None
        self.problems: list[str] = []
        self.requests: list[str] = []
        self._events: list[dict[str, Any]] = []
        self._pending = b""
        self._number = 0
        to_browser, self._writer = os.pipe()
        self._reader, from_browser = os.pipe()
        self._process = subprocess.Popen(
            [
                "bash", "-c", f'exec "$@" 3<&{to_browser} 4>&{from_browser}', "bash",
                CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
                f"--user-data-dir={profile}", "--window-size=1280,1000", "about:blank",
            ],
            pass_fds=(to_browser, from_browser), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(to_browser)
        os.close(from_browser)
        self._session = ""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._writer, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer["error"]
                result: dict[str, Any] = answer["result"]
                return result
            self._note(answer)

    def _receive(self) -> dict[str, Any]:
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while b"\0" not in self._pending:
            ready, _, _ = select.select([self._reader], [], [], max(0.0, deadline - time.monotonic()))
            data = os.read(self._reader, 1 << 20) if ready else b""
            assert data, "the browser is gone or does not answer"
            self._pending += data
        message, _, self._pending = self._pending.partition(b"\0")
        received: dict[str, Any] = json.loads(message)
        return received

    def _note(self, event: dict[str, Any]) -> None:
        method, given = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.problems.append(str(given["exceptionDetails"]))
        elif method == "Log.entryAdded" and given["entry"]["level"] == "error":
            self.problems.append(given["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(given["request"]["url"])
        self._events.append(event)

    def open(self, page: Path) -> None:
        self._events.clear()
        self.call("Page.navigate", url=page.as_uri())
        while not any(event.get("method") == "Page.loadEventFired" for event in self._events):
            self._note(self._receive())

    def evaluate(self, expression: str) -> Any:
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def press(self, key: str) -> None:
        text = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def type(self, text: str) -> None:
        self.call("Input.insertText", text=text)

    def wear(self, scheme: str) -> None:
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def picture(self) -> bytes:
        return base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._writer)
        os.close(self._reader)
