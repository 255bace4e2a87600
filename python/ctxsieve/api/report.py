"""Gathers what a project's report shows."""

from dataclasses import replace

from ctxsieve import __version__
from ctxsieve.api.project import Project
from ctxsieve.fragments import one_line
from ctxsieve.graph import ProgressCallback, ProjectGraph, find_communities
from ctxsieve.ledger import list_deliveries
from ctxsieve.report import ReportInputs, write_report
from ctxsieve.store import MEMORY, MetricGroup, Store, summarise_metrics
from ctxsieve.values import dataclass

__all__ = ["write_project_report"]


@dataclass(frozen=True, slots=True)
class _SettledProject(Project):
    """A project as it was when its graph was asked for, so that all parts of a page speak of the same tree."""

    settled: ProjectGraph

    def graph(self, *, on_progress: ProgressCallback | None = None) -> ProjectGraph:  # noqa: ARG002 - nothing is built
        """Return the graph as it was then."""
        return self.settled


def write_project_report(
    project: Project,
    task: str,
    *,
    budget_tokens: int | None,
    maximum_files: int | None,
    on_progress: ProgressCallback | None,
) -> str:
    """Return the page; see `Project.report`. Writing it records nothing."""
    settings = project.settings
    options = settings.report
    if maximum_files is not None:
        options = replace(options, maximum_files=maximum_files)
    budget = settings.budget.total_tokens if budget_tokens is None else budget_tokens
    has_task = bool(task.strip())
    graph = project.graph(on_progress=on_progress)
    project = _SettledProject(project.root, settings, project.origins, project.directories, graph)
    # Nothing is made where nothing was recorded.
    with Store(project.directories.store if project.directories.store.exists() else MEMORY) as store:
        groups = (MetricGroup.LAYER, MetricGroup.MODE, MetricGroup.LANGUAGE)
        metrics = {group.value: summarise_metrics(store, by=group) for group in groups}
        deliveries = list_deliveries(store, limit=options.deliveries)
    inputs = ReportInputs(
        name=one_line(project.root.name) or "/",
        version=__version__,
        graph=graph,
        communities=find_communities(graph, settings.communities),
        smells=project.smells(on_progress=on_progress),
        task=task,
        ranking=project.rank(task) if has_task else None,
        preload=project.preload(task, budget_tokens=budget) if has_task else None,
        budget_tokens=budget,
        metrics=metrics,
        deliveries=deliveries,
    )
    return write_report(inputs, options)
