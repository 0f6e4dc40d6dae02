"""Runs every benchmark there is: `python -m benchmarks`."""

import importlib
import pkgutil

import benchmarks


def main() -> None:
    """Run each module of this package that is no part of the machinery, by name."""
    for module in sorted(each.name for each in pkgutil.iter_modules(benchmarks.__path__)):
        if not module.startswith("_"):
            print(f"== {module}")
            importlib.import_module(f"benchmarks.{module}").main()
            print()


if __name__ == "__main__":
    main()
