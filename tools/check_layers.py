#!/usr/bin/env python3
"""Includes point one way: a layer may include itself and the layers listed for it, nothing above."""

import re
import subprocess
import sys

BELOW = {
    "units": [],
    "base": ["units"],
    "input": ["units", "base"],
    "model": ["units", "base", "input"],
    "hw": ["units", "base", "input"],
    "catalogue": ["units", "base", "input", "model", "hw"],
    "cost": ["units", "base", "input", "model", "hw"],
    "predict": ["units", "base", "model", "hw", "cost"],
    "plan": ["units", "base", "model", "hw", "catalogue", "cost", "predict"],
    "report": ["units", "base", "model", "hw", "cost", "predict", "plan"],
    "cli": ["units", "base", "input", "model", "hw", "catalogue", "cost", "predict", "plan", "report"],
}
# Headers that cost seconds to compile, or that belong to one room of the house.
ONLY_IN = {
    r"yaml-cpp/": r"src/roofcast/input/document\.cpp",
    r"CLI/": r"src/roofcast/cli/.*\.cpp",
    r"nlohmann/": r"src/roofcast/report/writers/json\.cpp",
    r"boost/units": r"src/roofcast/units/.*",
    r"iostream": r"src/roofcast/cli/main\.cpp",
}
# What the library never does; main.cpp alone reads the environment and writes to the process's streams.
FORBIDDEN = r"\b(std::cout|std::cerr|printf\(|std::exit|abort\(\)|getenv|assert\()"


def main() -> int:
    files = subprocess.run(["git", "ls-files", "--", "src/roofcast"], capture_output=True, text=True,
                           check=True).stdout.split()
    problems = []
    for path in files:
        layer = path.split("/")[2]
        if layer not in BELOW:
            problems.append(f"{path}: the folder '{layer}' is not a layer named in tools/check_layers.py")
            continue
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                where = f"{path}:{number}"
                if match := re.match(r'#include "roofcast/(\w+)/', line):
                    if match[1] != layer and match[1] not in BELOW[layer]:
                        problems.append(f"{where}: {layer} must not include {match[1]}")
                if match := re.match(r"#include <(.+)>", line):
                    for header, allowed in ONLY_IN.items():
                        if re.match(header, match[1]) and not re.fullmatch(allowed, path):
                            problems.append(f"{where}: <{match[1]}> belongs to {allowed}")
                code = line.split("//")[0]
                if path != "src/roofcast/cli/main.cpp" and re.search(FORBIDDEN, code):
                    if not re.search(r"\bsnprintf\(|static_assert\(", code):
                        problems.append(f"{where}: a library neither prints, exits, asserts nor reads the environment")
                if ".value()" in code and not re.match(r"src/roofcast/(units|report/writers)/", path):
                    problems.append(f"{where}: .value() strips a unit outside units/ and report/writers/")
    print("\n".join(problems) if problems else f"layers: {len(files)} files, all includes point downwards")
    return 1 if problems or not files else 0


if __name__ == "__main__":
    sys.exit(main())
