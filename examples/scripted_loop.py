"""The reasoning loop against a scripted model: profile, pre-hydration, progress and a journal that replays.

Run it from the root of the repository: python examples/scripted_loop.py
"""

import asyncio
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ctxsieve.reasoning import (
    FileReader,
    LoopConfig,
    ModelReply,
    ModelTurn,
    ReasoningLoopRunner,
    ReplyCall,
    StoreJournal,
    ToolCoordinator,
    ToolTable,
    replay_run,
)
from ctxsieve.store import Store

TASK = "Fix the failing test, see src/calculator.py:2"
CONFIG = LoopConfig.from_dict(
    {
        "max_steps": 8,
        "tool_profile": {"exclude": ["*delete*"]},
        "step_iteration": {"max_reattempts_per_step": 2, "on_limit_reached": "skip_step"},
        "pre_hydration": {"max_context_tokens": 600},
    }
)
TOOLS = [{"name": "run_tests"}, {"name": "edit_file"}, {"name": "file_delete"}]
SCRIPT = [
    ModelReply("Let me see.", (ReplyCall("run_tests", {}),)),
    ModelReply("Once more.", (ReplyCall("run_tests", {}),)),
    ModelReply("Perhaps this helps.", (ReplyCall("file_delete", {"path": "tests"}),)),
    ModelReply("Then I fix it.", (ReplyCall("edit_file", {"path": "src/calculator.py", "text": "a + b"}),)),
    ModelReply("Fixed: add() subtracted."),
]


def model(turn: ModelTurn) -> ModelReply:
    """Say the next line of the script."""
    return SCRIPT[turn.step - 1]


def execute(name: str, arguments: Mapping[str, Any]) -> str:
    """Pretend to be the tools; the tests fail the same way every time."""
    if name == "run_tests":
        raise RuntimeError(f"1 failed in {time.perf_counter():.2f}s: test_add: 0 != 2")
    return f"{name} done: {dict(arguments)}"


async def main() -> None:
    """Run the task, print the conversation, then rebuild it from the journal alone."""
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory)
        (root / "src").mkdir()
        (root / "src/calculator.py").write_text("def add(a, b):\n    return a - b\n")
        with Store(root / "store.sqlite3") as store:
            journal = StoreJournal(store, "demo", now_seconds=time.time)
            runner = ReasoningLoopRunner(
                model,
                execute,
                TOOLS,
                config=CONFIG,
                coordinator=ToolCoordinator(CONFIG.step_iteration),
                hydration_tools=ToolTable({"file_read": FileReader(root)}),
            )
            result = await runner.run(TASK, journal=journal)
            for message in result.messages:
                print(f"{message.role}: {message.text}")
            print(f"--- {result.reason} after {result.steps} steps")
            again = replay_run(StoreJournal(store, "demo", now_seconds=time.time).events())
            print(f"--- the journal says the same: {tuple(again.messages) == result.messages}")


if __name__ == "__main__":
    asyncio.run(main())
