#!/usr/bin/env python3
"""parts_list.py --name NAME --version V --date SECONDS CARRIED HEADERS LICENSES

Prints the parts of a package as SPDX 2.3 in JSON: the program, the Debian packages of the files listed in CARRIED (one
path on each line; a folder stands for its content), and the -dev packages of HEADERS (the project's package list),
whose code is compiled in. Writes the copyright file of each to the folder LICENSES. The same input gives the same
bytes."""
import argparse
import datetime
import hashlib
import json
import pathlib
import re
import shutil
import subprocess

parser = argparse.ArgumentParser()
for flag in ("--name", "--version", "--date"):
    parser.add_argument(flag, required=True)
for argument in ("carried", "headers", "licenses"):
    parser.add_argument(argument, type=pathlib.Path)
options = parser.parse_args()

def owner(path):
    """The installed package that a file belongs to; Debian may know it with or without /usr."""
    real = pathlib.Path(path).resolve()
    names = [str(real), path, path.removeprefix("/usr"), str(real).removeprefix("/usr"), "/usr" + path]
    for name in names:
        found = subprocess.run(["dpkg-query", "--search", name], capture_output=True, text=True)
        for line in found.stdout.splitlines():
            package, _, file = line.partition(": ")
            if file == name and "diversion by" not in line:
                return package
    raise SystemExit(f"parts_list: no package owns {path} (it was not installed by the distribution): add it by hand")

def compiled_in(headers):
    """Packages of the list whose code becomes part of the programs: the build dependencies."""
    names = [line.split(" ")[0] for line in headers.read_text().split("# for tests only")[0].splitlines()]
    return [name for name in names if name.endswith("-dev") and not name.startswith(("libgtest", "libgmock", "libbenchmark"))]

def field(package, name):
    form = "${" + name + "}"
    return subprocess.run(["dpkg-query", "-W", "-f", form, package], capture_output=True, text=True, check=True).stdout.strip()

def licenses(copyright_file):
    """The short license names in a machine-readable copyright file, in alphabetical order."""
    text = copyright_file.read_text(errors="replace")
    return sorted(set(re.findall(r"^License: *(\S.*?) *$", text, re.MULTILINE)))

packages = set()
for carried in options.carried.read_text().split():
    files = [f for f in pathlib.Path(carried).rglob("*.so") if f.is_file()] if pathlib.Path(carried).is_dir() else [carried]
    packages.update(owner(str(file)) for file in files)
packages.update(compiled_in(options.headers))

options.licenses.mkdir(parents=True, exist_ok=True)
moment = datetime.datetime.fromtimestamp(int(options.date), datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
parts = [{
    "name": options.name, "SPDXID": "SPDXRef-program", "versionInfo": options.version, "downloadLocation": "NOASSERTION",
    "filesAnalyzed": False, "licenseConcluded": "NOASSERTION", "licenseDeclared": "Apache-2.0", "copyrightText": "NOASSERTION",
}]
relations = [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-program"}]
for package in sorted(packages):
    plain = package.split(":")[0]
    text = pathlib.Path("/usr/share/doc") / plain / "copyright"
    shutil.copyfile(text, options.licenses / plain)
    identity = "SPDXRef-" + re.sub(r"[^A-Za-z0-9.]", "-", plain)
    parts.append({
        "name": plain, "SPDXID": identity, "versionInfo": field(package, "Version"), "downloadLocation": "NOASSERTION",
        "supplier": "Organization: Debian", "sourceInfo": "source package " + field(package, "source:Package") + " " + field(package, "source:Version"),
        "filesAnalyzed": False, "licenseConcluded": "NOASSERTION", "licenseDeclared": "NOASSERTION",
        "licenseComments": "as the copyright file says: " + ("; ".join(licenses(text)) or "free text"),
        "copyrightText": "NOASSERTION",
        "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                          "referenceLocator": f"pkg:deb/debian/{plain}@{field(package, 'Version')}?arch={field(package, 'Architecture')}"}],
    })
    kind = "STATIC_LINK" if package in compiled_in(options.headers) else "DYNAMIC_LINK"
    relations.append({"spdxElementId": "SPDXRef-program", "relationshipType": kind, "relatedSpdxElement": identity})
shape = hashlib.sha256(json.dumps(parts).encode()).hexdigest()
print(json.dumps({
    "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"{options.name}-{options.version}",
    "documentNamespace": f"https://sulcus.example.org/spdx/{options.version}/{shape}",
    "creationInfo": {"created": moment, "creators": [f"Tool: {options.name}-parts-list"]},
    "packages": parts, "relationships": relations}, indent=1))
