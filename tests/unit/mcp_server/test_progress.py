from typing import Any

import anyio
import anyio.to_thread
import pytest

from ctxsieve.mcp_server.progress import CancelledWorkError, WorkReport


def reports_of(*calls: tuple[str, int, int]) -> list[tuple[float, float, str]]:
    sent: list[tuple[float, float, str]] = []

    async def send(progress: float, total: float, message: str) -> None:
        sent.append((progress, total, message))

    async def run() -> None:
        report = WorkReport(send)

        def work() -> None:
            for call in calls:
                report(*call)

        await anyio.to_thread.run_sync(work)

    anyio.run(run)
    return sent


def test_start_of_a_scan_is_said_at_once() -> None:
    assert reports_of(("walk", 0, 0), ("scan", 0, 7000)) == [(1.0, 5.0, "step 2 of 5: scanning 0 of 7,000 files")]


def test_number_and_words_tell_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ctxsieve.mcp_server.progress._INTERVAL_SECONDS", 0.0)
    assert reports_of(("scan", 7000, 7000), ("resolve", 0, 0), ("measure", 1, 1)) == [
        (2.0, 5.0, "step 2 of 5: scanning 7,000 of 7,000 files"),
        (4.0, 5.0, "step 4 of 5: measuring 1 of 1 file"),
    ]


def test_what_follows_quickly_is_left_out() -> None:
    assert len(reports_of(*(("scan", done, 100) for done in range(100)))) == 1


def test_progress_never_falls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ctxsieve.mcp_server.progress._INTERVAL_SECONDS", 0.0)
    sent = reports_of(("scan", 5, 10), ("scan", 2, 10), ("walk", 1, 1), ("resolve", 0, 3), ("unknown", 1, 2))
    assert [progress for progress, _, _ in sent] == [1.5, 2.0]


def test_cancelled_work_ends_at_its_next_report() -> None:
    async def send(*_: Any) -> None:
        raise AssertionError

    report = WorkReport(send)
    report.cancel()
    with pytest.raises(CancelledWorkError):
        report("scan", 0, 1)
