#!/usr/bin/env python3
"""The README shows real output: every console block is run again and compared.

    tools/readme_output.py build/dev/roofcast            fails when a block differs
    tools/readme_output.py build/dev/roofcast --bless    rewrites the blocks

A block is fenced as ```console; each line that starts with "$ roofcast" or "$ scripts/run" is run, in a pipe and
at 80 columns, and what follows it up to the next command or the fence is its output."""

import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FENCE = re.compile(r"```console\n(.*?)```\n", re.S)


def answer(program: str, command: str) -> str:
    words = shlex.split(command)
    run = subprocess.run([program, *words[1:]], capture_output=True, text=True, cwd=ROOT, check=False)
    if run.returncode:
        raise SystemExit(f"README: {command}: exit status {run.returncode}\n{run.stderr}")
    return run.stdout


def rendered(program: str, block: str) -> str:
    commands = [line[2:] for line in block.splitlines() if line.startswith("$ ")]
    return "\n".join(f"$ {command}\n{answer(program, command)}" for command in commands)


def main() -> int:
    program = str(pathlib.Path(sys.argv[1]).resolve())
    path = ROOT / "README.md"
    text = path.read_text(encoding="utf-8")
    fresh = FENCE.sub(lambda match: f"```console\n{rendered(program, match[1])}```\n", text)
    blocks = len(FENCE.findall(text))
    if "--bless" in sys.argv:
        path.write_text(fresh, encoding="utf-8")
    elif fresh != text or not blocks:
        print("README.md: its output is not what the program prints; tools/readme_output.py PROGRAM --bless")
        return 1
    print(f"README: {blocks} blocks of output are what the program prints")
    return 0


if __name__ == "__main__":
    sys.exit(main())
