"""The inspector in a headless Chromium: what a person sees, types and is kept from.

    python tests/doors/inspector.py --bin target/debug/memfile [--shots FOLDER]

Needs selenium, and chromium with chromedriver (Debian: chromium, chromium-driver). With --shots each page is kept as a picture, in
both themes and at the width of a phone. Ends with 1 where a check fails.
"""

import argparse
import contextlib
import http.server
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import urllib.parse

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

TODAY = "1795953600"  # 2026-11-29
MEMORY = """# Shop

## Project memory

### Stack

- Database: MySQL 8 (source: Maya 2026-01-14)
- Database: Postgres 16 (source: Maya 2026-06-20; since: 2026-06-01)
- Region: eu-west-1 (since: 2026-02)
- Port: 8080
- Port: 9090

### Shop

- Cozy Home | Ad budget | $3,000/mo | source: call 2026-02-12 [historical] replaced by: $4,500/mo as of 2026-10-03
- Cozy Home | Ad budget | $4,500/mo | source: call 2026-10-03

### People

- (2025-01-14) Maya lives in London.
- Reviewer: Ann [historical] ended as of 2026-05-01: team was merged
- Deploy day: Friday
- Deploy day: Tuesday (since: 2026-12-15) [scheduled] as of 2026-12-15
- Note: <script>window.hacked = 1</script><img src=x onerror="window.hacked = 1">
- Odd: a\u202eb
"""
# The width of a phone, of a desk.
SIZES = {"phone": (390, 844), "desk": (1200, 900)}
CONTRAST = """
const parts = (color) => (color.match(/[\\d.]+/g) ?? []).map(Number);
const light = ([r, g, b]) => [r, g, b].map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
  .reduce((sum, c, at) => sum + c * [0.2126, 0.7152, 0.0722][at], 0);
const ground = (node) => {
  for (let at = node; at; at = at.parentElement) {
    const color = parts(getComputedStyle(at).backgroundColor);
    if (color.length === 3 || color[3] === 1) return color;
  }
  return [255, 255, 255];
};
const poor = [];
for (const node of document.querySelectorAll("body *")) {
  if (node.closest("svg") || !node.checkVisibility() || node.matches(".dot, .skip")) continue;
  if (![...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim())) continue;
  const [a, b] = [light(parts(getComputedStyle(node).color)), light(ground(node))];
  const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  if (ratio < 4.5) poor.push(`${node.nodeName}.${node.className} ${ratio.toFixed(2)} ${node.textContent.trim().slice(0, 20)}`);
}
return poor;
"""


class Checks:
    """Counts what holds; says what does not."""

    def __init__(self):
        self.passed, self.failed = 0, 0

    def __call__(self, what, holds, seen=""):
        if holds:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAIL {what} {seen}")


check = Checks()


def environment(home):
    names = {"HOME": home, "XDG_STATE_HOME": home / "state", "XDG_CONFIG_HOME": home / "config", "SOURCE_DATE_EPOCH": TODAY}
    return {**os.environ, **{name: str(value) for name, value in names.items()}, "GIT_CEILING_DIRECTORIES": str(home)}


@contextlib.contextmanager
def inspector(binary, tree, *args):
    """A running inspector: its address, its key, its process."""
    command = [str(binary), "serve", *args]
    with subprocess.Popen(command, cwd=tree, env=environment(tree.parent), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as child:
        try:
            base, token = child.stdout.readline().strip().split("/?token=")
            yield base, token, child
        finally:
            child.kill()


def browser():
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or shutil.which("google-chrome")
    for flag in ["headless=new", "no-sandbox", "disable-gpu", "hide-scrollbars", "host-resolver-rules=MAP evil.test 127.0.0.1"]:
        options.add_argument(f"--{flag}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    driver.set_page_load_timeout(120)
    return driver


class Page:
    """The browser at one inspector."""

    def __init__(self, driver, base):
        self.driver, self.base = driver, base

    def go(self, path):
        self.driver.get(self.base + path)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def run(self, script, *args):
        return self.driver.execute_script(script, *args)

    def wait(self, what, holds):
        with contextlib.suppress(Exception):
            WebDriverWait(self.driver, 60, 0.05).until(lambda _: holds())
            return check(what, True)
        return check(what, False, self.one("body").text[:400])

    def row(self, name):
        """The values beside a fact, as they are read."""
        found = [row for row in self.all(".row") if row.find_elements(By.CSS_SELECTOR, ".name")]
        row = next(row for row in found if row.find_element(By.CSS_SELECTOR, ".name").text.split("\n")[0] == name)
        return [cell.text for cell in row.find_elements(By.CSS_SELECTOR, ".vals")]

    def press(self, *keys):
        ActionChains(self.driver).send_keys(*keys).perform()


def board(page):
    page.go("/")
    check("a value that holds", page.row("Database") == ["Postgres 16"], page.row("Database"))
    check("ended is marked", "ended as of 2026-05-01" in page.row("Reviewer")[0])
    check("scheduled is marked", "scheduled from 2026-12-15" in page.row("Deploy day")[0] and "Friday" in page.row("Deploy day")[0])
    check("ambiguous is marked", page.row("Port")[0].startswith("ambiguous"), page.row("Port"))
    check("sections", [title.text for title in page.all("h3")] == ["Stack", "Cozy Home", "People"], [title.text for title in page.all("h3")])
    check("a hostile value is text", "<script>window.hacked = 1</script>" in page.row("Note")[0], page.row("Note"))
    check("a hostile value does not run", page.run("return window.hacked") is None)
    check("a hidden character is seen", page.row("Odd") == ["a\\u{202e}b"], page.row("Odd"))


def keyboard(page):
    page.go("/")
    page.press(Keys.TAB)
    check("the skip link comes first", page.run("return document.activeElement.className") == "skip")
    check("focus is seen", page.run("return getComputedStyle(document.activeElement).outlineStyle") != "none")
    page.press(Keys.ENTER)
    check("it leads to the page", page.run("return document.activeElement.id") == "main")
    page.press("/")
    check("/ goes to the filter", page.run("return document.activeElement.id") == "filter")
    page.press("ended")
    visible = [row for row in page.all("[data-row]") if row.is_displayed()]
    check("the filter hides the rest", len(visible) == 1 and "Reviewer" in visible[0].text, [row.text for row in visible])
    check("and counts", page.one("[data-matches]").text == "1 of 9 facts", page.one("[data-matches]").text)
    page.press("zzz")
    check("nothing is said to be nothing", page.one("#nothing").is_displayed())
    page.go("/?q=ended")
    check("an address can hold the filter", len(page.all("[data-row]")) == 1)


def times(page):
    page.go("/")
    next(link for link in page.all("a.name") if link.text == "Database").click()
    check("the fact in large", page.one(".big").text == "Postgres 16")
    lanes = [lane.get_attribute("aria-label") for lane in page.all(".lane svg[role=img]")]
    check("true from its since", "Postgres 16 from 2026-06-01" in lanes[0], lanes)
    check("believed from its source", "Postgres 16 from 2026-06-20" in lanes[1], lanes)
    check("all versions", len(page.all(".version")) == 2)

    page.go("/days?day=2026-06-20")
    check("both clocks agree", page.row("Database") == ["Postgres 16", "Postgres 16"], page.row("Database"))
    slider = page.one("input[type=range]")
    check("the slider has marks", len(page.all("#marks option")) > 4)
    slider.send_keys(Keys.ARROW_LEFT)
    page.wait("a day back by key", lambda: page.one("#day").text == "2026-06-19" and page.row("Database") == ["Postgres 16", "MySQL 8"])
    check("the address follows", page.driver.current_url.endswith("/days?day=2026-06-19"), page.driver.current_url)
    check("the slider keeps the focus", page.run("return document.activeElement.id") == "n")
    slider.send_keys(Keys.HOME)
    page.wait("the first day", lambda: page.one("#day").text == "2026-01-14" and page.row("Database")[1].startswith("MySQL 8"))
    page.one("a[rel=next]").click()
    page.wait("the next change", lambda: page.one("#day").text == "2026-02-01")

    page.go("/compare?from=2026-05-01&to=2026-07-01")
    check("two days compared", page.row("Database") == ["MySQL 8", "Postgres 16"], page.row("Database"))
    page.go("/compare?from=2026-06-02&to=2026-06-10&clock=recorded")
    check("by the other clock", page.one(".summary").text.startswith("0 facts"), page.one(".summary").text)

    page.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    page.go("/days?n=0")
    check("without a script the form works", page.one("#day").text == "2026-01-14" and page.one(".slider button").is_displayed())
    page.one(".pick input[type=date]").send_keys("07012026")
    page.one(".pick button").click()
    page.wait("by a date, too", lambda: "day=2026-07-01" in page.driver.current_url and page.row("Database")[0] == "Postgres 16")
    page.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def live(page, file):
    page.driver.set_window_size(900, 500)
    page.go("/")
    page.run("""
      const link = [...document.querySelectorAll("a.name")].find((link) => link.textContent === "Reviewer");
      link.focus({ preventScroll: true });
      scrollTo(0, 180);
      window.shift = 0;
      new PerformanceObserver((list) => list.getEntries().forEach((entry) => (window.shift += entry.value))).observe({ type: "layout-shift" });
    """)
    text = file.read_text()
    beside = file.with_suffix(".new")
    beside.write_text(text.replace("Deploy day: Friday", "Deploy day: Thursday"))
    beside.rename(file)
    page.wait("a change is seen", lambda: "Thursday" in page.row("Deploy day")[0])
    check("the focus stays", page.run("return document.activeElement.textContent") == "Reviewer")
    check("the place stays", page.run("return Math.round(scrollY)") == 180, page.run("return scrollY"))
    check("nothing jumps", page.run("return window.shift") < 0.01, page.run("return window.shift"))
    file.write_text(text)
    page.wait("and back", lambda: "Friday" in page.row("Deploy day")[0])
    page.driver.set_window_size(1200, 900)


def apply(page, file):
    page.go("/findings")
    card = next(card for card in page.all("article.card") if "untagged-historical" in card.text)
    check("a fix as a diff", "[historical] replaced by: Postgres 16" in card.find_element(By.CSS_SELECTOR, "ins").text)
    was = file.read_text()
    card.find_element(By.CSS_SELECTOR, "button").click()
    page.wait("it is applied", lambda: page.one(".notice").text.startswith("1 fix was applied"))
    now = was.replace("2026-01-14)", "2026-01-14) [historical] replaced by: Postgres 16 as of 2026-06-01")
    check("and nothing else", file.read_text() == now, file.read_text())
    page.go("/journal")
    check("the journal has the step", "memfile serve --write" in page.one(".step").text and len(page.all(".step ins")) == 1)


def playground(page):
    page.go("/playground")
    page.one("#text").clear()
    page.one("#text").send_keys("## Project memory\n\n- A: 1 (since: 2026-01-01)\n- A: <script>window.hacked = 2</script> (since: 2026-02-01)\n")
    page.one("#text").send_keys(Keys.CONTROL, Keys.ENTER)
    page.wait("a result", lambda: page.all("#result .rendered"))
    check("its facts and findings", "1 fact" in page.one("#result").text and "untagged-historical" in page.one("#result").text)
    check("rendered, and not run", "<script>" in page.one(".rendered").text and page.run("return window.hacked") is None)


def refusals(page, token, file):
    for what, address in {
        "a wrong key": f"{page.base}/?token={'0' * 32}",
        "a foreign host": f"http://evil.test:{page.base.rsplit(':')[-1]}/",
        "a foreign host with the key": f"http://evil.test:{page.base.rsplit(':')[-1]}/?token={token}",
    }.items():
        page.driver.get(address)
        check(f"{what} is refused", "Not allowed" in page.one("h1").text and "Postgres" not in page.driver.page_source)
    for path in ["/..%2f..%2fsecret.md", "/fact/0/..%2fsecret.md", "/days?file=../secret.md"]:
        page.go(path)
        check(f"{path} is nothing", "Not found" in page.one("h1").text and "treasure" not in page.driver.page_source)

    class Evil(http.server.BaseHTTPRequestHandler):
        """A page of another origin that sends a form to the inspector."""

        def do_GET(self):
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            form = f'<form method=post action="{page.base}/apply"><input name=file value=0><input name=finding value=all></form>'
            self.wfile.write(f"{form}<script>document.forms[0].submit()</script>".encode())

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Evil) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        was = file.read_bytes()
        page.driver.get(f"http://127.0.0.1:{server.server_address[1]}/")
        page.wait("a form of another origin is refused", lambda: "Not allowed" in page.one("h1").text)
        check("and writes nothing", file.read_bytes() == was)
        server.shutdown()


def looks(page, shots):
    """Every page in both themes and widths: nothing wider than the screen, every word readable; a picture of each."""
    page.go("/")
    fact = page.all("a.name")[0].get_attribute("href").removeprefix(page.base)
    paths = {"board": "/", "fact": fact, "days": "/days?day=2026-06-10", "compare": "/compare?from=2026-01-01", "findings": "/findings"}
    paths |= {"journal": "/journal", "playground": "/playground", "rule": "/rule/overwritten", "refusal": "/nothing"}
    send = page.driver.execute_cdp_cmd
    for theme in ["light", "dark"]:
        send("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": theme}]})
        for size, (width, height) in SIZES.items():
            screen = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": size == "phone"}
            send("Emulation.setDeviceMetricsOverride", screen)
            for name, path in paths.items():
                page.go(path)
                if name == "playground":
                    page.one("button.main").click()
                    page.wait("a result", lambda: page.all("#result"))
                wide = page.run("return document.documentElement.scrollWidth")
                check(f"{name} fits a {size}", wide <= width, wide)
                poor = page.run(CONTRAST)
                check(f"{name} can be read, {theme}", not poor, poor)
                if shots:
                    long = page.run("return document.documentElement.scrollHeight")
                    send("Emulation.setDeviceMetricsOverride", {**screen, "height": max(height, min(long, 2400))})
                    page.driver.save_screenshot(str(shots / f"{name}-{theme}-{size}.png"))
                    send("Emulation.setDeviceMetricsOverride", screen)
    send("Emulation.clearDeviceMetricsOverride", {})


def many(driver, binary, tree):
    """5,000 facts."""
    parts = ["## Project memory\n"]
    for section in range(50):
        parts.append(f"\n### Service {section}\n\n")
        parts += [f"- Setting {section}-{n} | value {n} | source: call 2026-0{1 + n % 9}-10\n" for n in range(100)]
    (tree / "AGENTS.md").write_text("".join(parts))
    with inspector(binary, tree) as (base, token, _):
        page = Page(driver, base)
        page.go(f"/?token={token}")
        check("5,000 facts", page.one("[data-matches]").text == "5,000 facts", page.one("[data-matches]").text)
        page.press("/", "49-99")
        check("are filtered", page.one("[data-matches]").text == "1 of 5,000 facts", page.one("[data-matches]").text)
        page.go("/days?day=2026-05-01")
        check("have days", len(page.all("#answer .rows .row")) == 5000)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True, type=pathlib.Path)
    parser.add_argument("--shots", type=pathlib.Path)
    args = parser.parse_args()
    binary = args.bin.resolve()
    if args.shots:
        args.shots.mkdir(parents=True, exist_ok=True)
    driver = browser()
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        stack.callback(driver.quit)
        tree = pathlib.Path(folder) / "tree"
        tree.mkdir()
        file = tree / "AGENTS.md"
        file.write_text(MEMORY)
        (tree.parent / "secret.md").write_text("## Project memory\n\n- Hidden: treasure\n")
        with inspector(binary, tree, "--write") as (base, token, child):
            page = Page(driver, base)
            page.go(f"/?token={token}")
            check("the key leaves the address", urllib.parse.urlsplit(driver.current_url).query == "", driver.current_url)
            check("the cookie is out of reach of scripts", page.run("return document.cookie") == "")
            board(page)
            keyboard(page)
            times(page)
            live(page, file)
            playground(page)
            apply(page, file)
            looks(page, args.shots)
            driver.get_log("browser")
            page.go("/")
            check("the policy is kept", not [line for line in driver.get_log("browser") if "Content Security" in line["message"]])
            refusals(page, token, file)
            page.go("/")
            child.send_signal(signal.SIGTERM)
            page.wait("an end is told", lambda: page.one("#state").text in ("connecting again", "the server has ended"))
            check("the end is well", child.wait(30) == 0, child.returncode)
        many(driver, binary, tree)
    print(f"{check.passed} checks passed, {check.failed} failed")
    return 1 if check.failed else 0


if __name__ == "__main__":
    sys.exit(main())
