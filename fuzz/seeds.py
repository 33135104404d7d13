"""Makes the seeds of the fuzz targets from testdata/: seeds.py CORPUS"""

import hashlib
import pathlib
import re
import sys

data = pathlib.Path("testdata")
corpus = pathlib.Path(sys.argv[1])


def seed(target, content):
    if len(content) <= 16384:
        folder = corpus / target
        folder.mkdir(parents=True, exist_ok=True)
        (folder / hashlib.sha1(content).hexdigest()[:16]).write_bytes(content)


for path in sorted(data.rglob("*.md")):
    content = path.read_bytes()
    seed("parse", content)
    seed("fix", content)
    for date in re.findall(rb"\(([^()\n]{4,40})\)|as of ([^\n:]{4,30})|source: ([^|\n]{4,40})", content):
        seed("dates", max(date, key=len).strip())
    for value in re.findall(rb"^- [^|:\n]{1,60}[:|] ([^|\n]{1,120})", content, re.M):
        seed("tags", value.strip())
for path in sorted(data.rglob("base.md")):
    before = path.with_name("before.md")
    if before.exists():
        seed("baseline", path.read_bytes() + b"\n%%%%\n" + before.read_bytes())
for path in sorted(data.rglob("theirs.md")):
    texts = [path.with_name(name) for name in ("base.md", "ours.md", "theirs.md")]
    seed("merge", b"\n%%%%\n".join(text.read_bytes() if text.exists() else b"" for text in texts))
for path in sorted(data.rglob("*.toml")):
    seed("config", path.read_bytes())
for path in sorted((data / "crashers").glob("*/*")):
    seed(path.parent.name, path.read_bytes())
