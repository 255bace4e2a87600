"""Every threshold and weight, from files and the environment, with where each value came from."""

from ctxsieve.config.directories import Directories, find_directories
from ctxsieve.config.settings import (
    RESERVED_VARIABLES,
    LoadedSettings,
    Settings,
    load_settings,
    section_classes,
    setting_values,
)

__all__ = [
    "RESERVED_VARIABLES",
    "Directories",
    "LoadedSettings",
    "Settings",
    "find_directories",
    "load_settings",
    "section_classes",
    "setting_values",
]
