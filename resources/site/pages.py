"""pages.py ROOT PAGES: copies the pages of the project for MkDocs, keeping their paths so that links work, and
generates the reference of all options from the program's own help."""
import html
import os
import pathlib
import re
import shutil
import subprocess
import sys

PAGES = ["README.md", "CHANGELOG.md", "SECURITY.md", "CITATION.cff", "LICENSE", ".github/CONTRIBUTING.md",
         "app/python/README.md", "tests/bench/RESULTS.md", "tests/golden/fibers/MADE.md"]
FOLDERS = ["resources/help", "resources/design", "resources/site"]
KINDS = {".md", ".png", ".gif", ".svg", ".html", ".css"}
COMMANDS = ["fibers", "tracts", "activation", "registration", "surface", "prepare", "template", "group", "bids", "apply",
            "volumes", "bundle", "clusters", "compare", "convert", "phantom", "info", "devices", "draws", "eigenpairs",
            "completion", "thumbnail", "remote"]


def copy(root, pages):
    files = [root / name for name in PAGES if (root / name).exists()]
    files += [f for folder in FOLDERS for f in (root / folder).rglob("*") if f.suffix in KINDS]
    files += (root / "tests/bench/history").glob("*.svg")
    files += [f for f in root.glob("*/**/README.md") if not {"build", ".git"} & set(f.relative_to(root).parts)]
    for file in files:
        to = pages / file.relative_to(root)
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, to)


def option_tables(text):
    """The help of a command as Markdown: one table for each group of flags."""
    out, rows = [], []
    for line in text.splitlines():
        flag = re.match(r"  (-\S.*?)(?:\s{2,}(\S.*))?$", line)
        group = re.match(r"(\w[\w ,]*):$", line)
        if group or not line.strip():
            rows = []
        if group:
            out += ["", f"### {group[1]}", ""]
        elif flag:
            if not rows:
                out += ["| flag | what it does |", "|---|---|"]
            rows = [line]
            out.append([flag[1], flag[2] or ""])
        elif rows and line.startswith(" " * 20) and isinstance(out[-1], list):
            out[-1][1] += " " + line.strip()
        elif line.startswith("Usage:"):
            out += ["", f"`{line[7:]}`"]
        elif line.strip():
            out.append(html.escape(line.strip()))
        else:
            out.append("")
    return "\n".join(f"| `{o[0]}` | {html.escape(o[1]).replace('|', '&#124;')} |" if isinstance(o, list) else o
                     for o in out)


def options_page(program):
    version = subprocess.run([program, "--version"], capture_output=True, text=True).stdout.splitlines()[0]
    page = ["# All options", "",
            f"Generated from `sulcus-cli COMMAND --help` of {version}. The window has the same settings.", ""]
    for command in COMMANDS:
        told = subprocess.run([program, command, "--help"], capture_output=True, text=True)
        if told.returncode == 0:
            page += [f"## {command}", "", option_tables(told.stdout), ""]
    return page


def main():
    root, pages = (pathlib.Path(p) for p in sys.argv[1:3])
    copy(root, pages)
    program = os.environ.get("SULCUS_CLI") or str(root / "build/full/bin/sulcus-cli")
    if os.access(program, os.X_OK):
        (pages / "resources/site/options.md").write_text("\n".join(options_page(program)) + "\n")


main()
