#!/usr/bin/env python3
"""Sizes that keep the code readable: files of at most 400 lines, functions of at most 60.

Functions are measured with Universal Ctags. Exempt are the tables of facts named below."""

import subprocess
import sys

MAX_FILE, MAX_FUNCTION = 400, 60
EXEMPT_FILES: set[str] = set()


def tracked(*patterns: str) -> list[str]:
    out = subprocess.run(["git", "ls-files", "--", *patterns], capture_output=True, text=True, check=True)
    return out.stdout.split()


def main() -> int:
    problems = []
    sources = tracked("*.cpp", "*.hpp", "*.cu", "*.cuh", "*.py", "*.cmake", "*CMakeLists.txt")
    for path in sources:
        with open(path, encoding="utf-8") as file:
            lines = sum(1 for _ in file)
        if lines > MAX_FILE and path not in EXEMPT_FILES:
            problems.append(f"{path}: {lines} lines, at most {MAX_FILE}")
    code = [p for p in sources if p.endswith((".cpp", ".hpp", ".cu", ".cuh"))]
    tags = subprocess.run(
        ["ctags", "-x", "--c++-kinds=f", "--fields=+ne", "--_xformat=%F\t%n\t%e\t%N", *code],
        capture_output=True, text=True, check=True)
    functions = 0
    for row in tags.stdout.splitlines():
        path, start, end, name = row.split("\t")
        if not end.isdigit():
            continue
        functions += 1
        length = int(end) - int(start) + 1
        if length > MAX_FUNCTION:
            problems.append(f"{path}:{start}: {name} has {length} lines, at most {MAX_FUNCTION}")
    if functions == 0:
        problems.append("no function was found: is this Universal Ctags?")
    print("\n".join(problems) if problems else f"limits: {len(sources)} files, {functions} functions, none too long")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
