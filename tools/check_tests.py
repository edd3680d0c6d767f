#!/usr/bin/env python3
"""Rules for tests: no doctest::Approx (its absolute slack makes any two times below 10 us equal), names that
ctest can run one by one, and no test that was lost: the count may only grow."""

import re
import subprocess
import sys

ALLOWED_NAME = re.compile(r"[A-Za-z0-9 :,./()'+^-]+")
COUNT_FILE = "tests/count.txt"


def main() -> int:
    files = subprocess.run(["git", "ls-files", "--", "tests/*.cpp", "tests/*.hpp"], capture_output=True, text=True,
                           check=True).stdout.split()
    problems, cases, names = [], 0, {}
    for path in files:
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if re.search(r"\bApprox\(", line):
                    problems.append(f"{path}:{number}: use near() of tests/support/near.hpp, not Approx")
                if match := re.search(r'^TEST_CASE(?:_TEMPLATE)?\("([^"]*)"', line):
                    cases += 1
                    name = match[1]
                    if not ALLOWED_NAME.fullmatch(name):
                        problems.append(f"{path}:{number}: a character of '{name}' breaks running it by name")
                    if name in names:
                        problems.append(f"{path}:{number}: '{name}' is also at {names[name]}")
                    names[name] = f"{path}:{number}"
    with open(COUNT_FILE, encoding="utf-8") as file:
        floor = int(file.read())
    if cases < floor:
        problems.append(f"{cases} test cases, {COUNT_FILE} says at least {floor}: was one lost?")
    print("\n".join(problems) if problems else f"tests: {cases} cases in {len(files)} files (at least {floor})")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
