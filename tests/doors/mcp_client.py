#!/usr/bin/env python3
"""Talks to `memfile mcp` with the client library from PyPI (mcp 2.3): every tool, resources with notices, the prompt.

Usage: mcp_client.py PATH-OF-MEMFILE. Once by the `initialize` handshake, once by the revision that has none. Results are checked
against the output schemas by the library itself. Exits with 1 at the first thing that is not as it should be.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import warnings

import anyio
from mcp import MCPError
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.subscriptions import ResourcesListChanged, ResourceUpdated

TEXT = """# Notes

## Project memory

- Port: 8080 (since 2025-01-01) [historical] replaced by: 9090 as of 2026-01-01
- Port: 9090 (since 2026-01-01)
- Team: core
- Region: eu
"""
READING = ["memory_now", "memory_history", "memory_as_of", "memory_present", "memory_search", "memory_why", "memory_check"]
WRITING = ["memory_set", "memory_add", "memory_end", "memory_correct", "memory_reopen"]


def need(what, said):
    if not what:
        raise SystemExit(f"mcp_client: {said}")


class Box:
    """A repository with one memory file, and an environment of its own."""

    def __init__(self, folder):
        self.repo = pathlib.Path(folder) / "repo"
        self.repo.mkdir()
        self.env = {
            "HOME": folder,
            "XDG_STATE_HOME": f"{folder}/state",
            "GIT_CONFIG_GLOBAL": f"{folder}/gitconfig",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CEILING_DIRECTORIES": folder,
            "SOURCE_DATE_EPOCH": "1795953600",
            "RUST_LOG": "trace",
            "PATH": os.environ["PATH"],
        }
        (pathlib.Path(folder) / "gitconfig").write_text("[user]\nname = A\nemail = a@example.org\n")
        (self.repo / "AGENTS.md").write_text(TEXT)
        for args in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "facts"]):
            subprocess.run(["git", *args], cwd=self.repo, env=self.env, check=True)

    def server(self, program, *args):
        return StdioServerParameters(command=program, args=["mcp", *args], cwd=str(self.repo), env=self.env)

    def text(self):
        return (self.repo / "AGENTS.md").read_text()


async def call(client, tool, error=False, **arguments):
    """Calls a tool; its structured result, or of an error the sentence."""
    result = await client.call_tool(tool, arguments)
    texts = [block.text for block in result.content]
    need(texts and all(texts), f"{tool}: no text: {result}")
    need(bool(result.is_error) == error, f"{tool} {arguments}: {texts}")
    return texts[0] if error else result.structured_content


async def reading(client):
    now = await call(client, "memory_now", key="Port")
    need([fact["value"] for fact in now["facts"]] == ["9090"] and now["freshness"]["is_current"], f"now: {now}")
    history = await call(client, "memory_history", key="Port", clock="recorded", git=True)
    need([version["value"] for version in history["versions"]] == ["8080", "9090"], f"history: {history}")
    then = await call(client, "memory_as_of", date="2025-06", key="Port")
    need(then["facts"][0]["version"]["value"] == "8080", f"as_of: {then}")
    found = await call(client, "memory_search", words="port")
    need(found["facts"][0]["parameter"] == "Port", f"search: {found}")
    why = await call(client, "memory_why", key="Port")
    need(why["commit"] and "A" in why["author"], f"why: {why}")
    block = await call(client, "memory_present", question="Which port?", limit=2)
    need("[historical]" in block["text"] and block["shown"] == 2, f"present: {block}")
    check = await call(client, "memory_check")
    need(check["findings"] == [] and check["files"][0]["is_current"], f"check: {check}")


async def writing(client, box):
    done = await call(client, "memory_set", key="Port", value="7070", since="2026-06-01", reason="moved", source="call 2026-06-02")
    need(done["changed"] and done["versions"][-1]["value"] == "7070", f"set: {done}")
    need("replaced by: 7070 as of 2026-06-01: moved" in box.text(), box.text())
    again = await call(client, "memory_set", key="Port", value="7070")
    need(not again["changed"], f"set again: {again}")
    await call(client, "memory_add", key="Owner", value="Maya")
    await call(client, "memory_end", key="Region", reason="one region")
    need("- Region: eu [historical] ended as of 2026-11-29: one region" in box.text(), box.text())
    await call(client, "memory_reopen", key="Region")
    need("- Region: eu\n" in box.text(), box.text())
    await call(client, "memory_correct", key="Team", new="platform")
    need("- Team: core [retracted]" in box.text() and "- Team: platform\n" in box.text(), box.text())
    need((await call(client, "memory_check"))["findings"] == [], "the file is clean after all that")


async def errors(client, box):
    before = box.text()
    need("did you mean `Port`?" in await call(client, "memory_now", error=True, key="Prot"), "a near key is suggested")
    need("memory_add" in await call(client, "memory_set", error=True, key="Nothing", value="1"), "the tool for new facts is named")
    need("outside" in await call(client, "memory_now", error=True, file="../../etc/passwd"), "paths end at the root")
    need("secret" in await call(client, "memory_set", error=True, key="Port", value="AKIAIOSFODNN7EXAMPLQ"), "secrets")
    need("`value` is a text" in await call(client, "memory_set", error=True, key="Port", value=1), "kinds are checked")
    need(box.text() == before, "an error wrote")
    for name in ("memory_forget", "memory_drop", "memory_accept"):
        try:
            await client.call_tool(name, {"key": "Port"})
        except MCPError:
            continue
        need(False, f"{name} is there")


async def resources(client, box, changed, subscribed):
    """`changed` gives the next notice; `subscribed` opens the subscription in the way of the revision."""
    listed = (await client.list_resources()).resources
    need([resource.name for resource in listed] == ["AGENTS.md"], f"resources: {listed}")
    uri = listed[0].uri
    read = (await client.read_resource(uri)).contents[0]
    need(read.text == box.text() and read.mime_type == "text/markdown", f"read: {read}")
    async with subscribed(uri):
        with anyio.fail_after(20):
            (box.repo / "AGENTS.md").write_text(box.text() + "- Extra: 1\n")
            need(await changed() == ("updated", uri), "a change of the file is told")
            (box.repo / "CLAUDE.md").write_text("## Project memory\n\n- Host: a\n")
            need(await changed() == ("listed", None), "a new file is told")
    need(len((await client.list_resources(cache_mode="bypass")).resources) == 2, "the list has grown")
    need("several memory files" in await call(client, "memory_now", error=True), "which file is asked")
    host = await call(client, "memory_now", key="Host", file="CLAUDE.md")
    need(host["facts"][0]["file"] == "CLAUDE.md", f"file: {host}")
    try:
        await client.read_resource("file:///etc/passwd")
        need(False, "a file outside was read")
    except MCPError:
        pass


async def prompts(client):
    listed = (await client.list_prompts()).prompts
    need([prompt.name for prompt in listed] == ["present"], f"prompts: {listed}")
    told = await client.get_prompt("present", {"question": "Which port?", "file": "AGENTS.md"})
    texts = [message.content.text for message in told.messages]
    need("[historical]" in texts[0] and texts[1] == "Which port?", f"prompt: {texts}")


async def session(program, mode, revision):
    with tempfile.TemporaryDirectory() as folder:
        box = Box(folder)
        send, receive = anyio.create_memory_object_stream(100)

        async def heard(message):
            method = getattr(message, "method", None)
            if method == "notifications/resources/updated":
                await send.send(("updated", str(message.params.uri)))
            if method == "notifications/resources/list_changed":
                await send.send(("listed", None))

        async with Client(box.server(program), mode=mode, message_handler=heard, read_timeout_seconds=60) as client:
            need(client.protocol_version == revision, f"revision {client.protocol_version}")
            need(client.server_info.name == "memfile" and "memory_set" in client.instructions, "the server tells who it is")
            tools = (await client.list_tools()).tools
            need({tool.name for tool in tools} == {*READING, *WRITING}, f"tools: {[tool.name for tool in tools]}")
            for tool in tools:
                need(tool.annotations.read_only_hint == (tool.name in READING), f"{tool.name}: {tool.annotations}")
                need(tool.input_schema and tool.output_schema and tool.description, f"{tool.name} is not described")
            await reading(client)
            await writing(client, box)
            await errors(client, box)
            if mode == "legacy":
                await client.send_ping()
                await resources(client, box, receive.receive, lambda uri: Subscribed(client, uri))
            else:
                listening = Listening(client)
                await resources(client, box, listening.changed, listening.open)
            await prompts(client)
        log = subprocess.run([program, "log", "-f", "AGENTS.md"], cwd=box.repo, env=box.env, capture_output=True, text=True, check=True)
        need("mcp memory_set Port 7070" in log.stdout, f"the journal tells who wrote: {log.stdout}")

        box = Box(f"{folder}/state")
        async with Client(box.server(program, "--read-only"), mode=mode, read_timeout_seconds=60) as client:
            need({tool.name for tool in (await client.list_tools()).tools} == set(READING), "read-only leaves the writers out")
            await reading(client)
    print(f"mcp_client: {revision} ({mode}): all well")


class Subscribed:
    """`resources/subscribe`, until `resources/unsubscribe`."""

    def __init__(self, client, uri):
        self.client, self.uri = client, uri

    async def __aenter__(self):
        await self.client.subscribe_resource(self.uri)

    async def __aexit__(self, *_):
        await self.client.unsubscribe_resource(self.uri)


class Listening:
    """`subscriptions/listen`: a request that stays open."""

    def __init__(self, client):
        self.client, self.stream = client, None

    def open(self, uri):
        self.stream = self.client.listen(resources_list_changed=True, resource_subscriptions=[uri])
        return self

    async def __aenter__(self):
        self.events = await self.stream.__aenter__()

    async def __aexit__(self, *error):
        await self.stream.__aexit__(*error)

    async def changed(self):
        event = await self.events.__anext__()
        if isinstance(event, ResourceUpdated):
            return ("updated", str(event.uri))
        return ("listed", None) if isinstance(event, ResourcesListChanged) else ("other", None)


def main():
    # What older revisions have is used on purpose.
    warnings.simplefilter("ignore")
    program = str(pathlib.Path(sys.argv[1]).resolve())
    anyio.run(session, program, "legacy", "2025-11-25")
    anyio.run(session, program, "auto", "2026-07-28")


if __name__ == "__main__":
    main()
