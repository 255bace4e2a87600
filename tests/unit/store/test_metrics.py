from pathlib import Path

from ctxsieve.store import LayerMetrics, Store, metric_sessions, record_metrics, summarise_metrics
from ctxsieve.store.metrics import MetricGroup


def test_totals_per_layer_mode_and_language_of_one_session_and_of_all(tmp_path: Path) -> None:
    with Store(tmp_path / "store.sqlite3") as store:
        first = [
            LayerMetrics("relevance", 1000, 400, 2.0),
            LayerMetrics("compression", 400, 100, 5.0, mode="map", language="python"),
        ]
        second = [LayerMetrics("compression", 600, 300, 1.0, mode="full", language="python")]
        record_metrics(store, "s2", "r1", first, now_seconds=1.0)
        record_metrics(store, "s1", "r2", second, now_seconds=2.0)
        assert metric_sessions(store) == ["s2", "s1"]
        layers = summarise_metrics(store, by=MetricGroup.LAYER)
        assert [(t.name, t.count, t.input_tokens, t.output_tokens) for t in layers] == [
            ("relevance", 1, 1000, 400),
            ("compression", 2, 1000, 400),
        ]
        assert [t.name for t in summarise_metrics(store, by=MetricGroup.MODE)] == ["map", "full"]
        (python,) = summarise_metrics(store, by=MetricGroup.LANGUAGE)
        assert (python.output_tokens, python.ratio, python.duration_ms) == (400, 0.4, 6.0)
        assert [t.name for t in summarise_metrics(store, by=MetricGroup.LAYER, session="s1")] == ["compression"]
