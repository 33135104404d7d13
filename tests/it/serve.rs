//! The inspector as a process, asked over a plain connection: keys, hosts, origins, what is shown, what is written, what is told.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const MEMORY: &str = "# A project\n\n## Project memory\n\n- Database: MySQL 8 (source: Maya 2026-01-14)\n\
    - Database: Postgres 16 (source: Maya 2026-06-20)\n- Port: 1 (since: 2026-02-01)\n- Port: 2 (since: 2026-03-01)\n\
    - Note: <script>alert(1)</script>\n- Odd: a\u{202e}b\n- Team: Ann [historical] ended as of 2026-05-01\n\
    - Day: Friday\n- Day: Monday (since: 2027-01-01) [scheduled] as of 2027-01-01\n";

/// A running inspector, its folder and its keys.
struct Inspector {
    child: Child,
    out: BufReader<std::process::ChildStdout>,
    folder: tempfile::TempDir,
    port: u16,
    token: String,
    cookie: String,
}

/// An answer: its status, its head as it came, its body.
struct Reply {
    status: u16,
    head: String,
    body: String,
}

impl Reply {
    fn header(&self, name: &str) -> Option<&str> {
        let line = self.head.lines().find(|line| line.to_ascii_lowercase().starts_with(&format!("{name}:")))?;
        Some(line[name.len() + 1..].trim())
    }
}

impl Inspector {
    fn start(args: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        fs::create_dir(folder.path().join("tree")).expect("a folder");
        fs::write(folder.path().join("tree/AGENTS.md"), MEMORY).expect("the file");
        fs::write(folder.path().join("secret.md"), "## Project memory\n\n- Hidden: treasure\n").expect("the file");
        let mut command = memfile(folder.path());
        let mut child = command.arg("serve").args(args).stdout(Stdio::piped()).spawn().expect("memfile starts");
        let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut line = String::new();
        out.read_line(&mut line).expect("the address");
        let (host, token) = line.trim().split_once("/?token=").expect("an address with a key");
        let port = host.rsplit(':').next().expect("a port").parse().expect("a number");
        let mut this = Self { child, out, folder, port, token: token.to_owned(), cookie: String::new() };
        let reply = this.send("GET", &format!("/?token={token}"), &[], "");
        assert_eq!((reply.status, reply.header("location")), (303, Some("/")));
        let cookie = reply.header("set-cookie").expect("a cookie").to_owned();
        assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict") && cookie.contains("Path=/"), "{cookie}");
        assert!(!cookie.contains(&this.token));
        this.cookie = cookie.split(';').next().expect("a pair").to_owned();
        this
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("tree/AGENTS.md")
    }

    fn text(&self) -> String {
        fs::read_to_string(self.file()).expect("the file")
    }

    fn connect(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a limit");
        let mut head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        if !headers.iter().any(|(name, _)| *name == "Host") {
            head.push_str(&format!("Host: 127.0.0.1:{}\r\n", self.port));
        }
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        if !body.is_empty() {
            head.push_str(&format!("Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n", body.len()));
        }
        stream.write_all(format!("{head}\r\n").as_bytes()).expect("sent");
        // A server that refuses a long body need not read it.
        let _ = stream.write_all(body.as_bytes());
        stream
    }

    fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        let mut bytes = Vec::new();
        let _ = self.connect(method, path, headers, body).read_to_end(&mut bytes);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split_whitespace().nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        Reply { status, head: head.to_owned(), body: body.to_owned() }
    }

    fn get(&self, path: &str) -> Reply {
        self.send("GET", path, &[("Cookie", &self.cookie)], "")
    }

    fn post(&self, path: &str, body: &str) -> Reply {
        let origin = format!("http://127.0.0.1:{}", self.port);
        self.send("POST", path, &[("Cookie", &self.cookie), ("Origin", &origin)], body)
    }

    /// The fields of the form whose card holds `part`.
    fn form(&self, part: &str) -> String {
        let page = self.get("/findings").body;
        let card = page.split("<article").skip(1).find(|card| card.contains(part)).expect("a card");
        let value = |name: &str| {
            let rest = card.split(&format!("name=\"{name}\" value=\"")).nth(1).expect("a field");
            rest.split('"').next().expect("a value").to_owned()
        };
        format!("file={}&seen={}&finding={}", value("file"), value("seen"), value("finding"))
    }
}

impl Drop for Inspector {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn memfile(folder: &std::path::Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_memfile"));
    command.current_dir(folder.join("tree")).env("HOME", folder).env("XDG_STATE_HOME", folder.join("state"));
    command.env("XDG_CONFIG_HOME", folder.join("config")).env("GIT_CEILING_DIRECTORIES", folder).env("SOURCE_DATE_EPOCH", "1795953600");
    command.stderr(Stdio::null());
    command
}

#[test]
fn only_the_key_opens_the_pages() {
    let inspector = Inspector::start(&[]);
    assert_eq!(inspector.get("/").status, 200);
    assert_eq!(inspector.send("GET", "/", &[], "").status, 403);
    assert_eq!(inspector.send("GET", &format!("/?token={}0", &inspector.token[1..]), &[], "").status, 403);
    let name = inspector.cookie.split('=').next().expect("a name");
    assert_eq!(inspector.send("GET", "/", &[("Cookie", &format!("{name}={}", inspector.token))], "").status, 403);
    for path in ["/findings", "/events", "/assets/app.js", "/fact/0/x", "/nothing"] {
        assert_eq!(inspector.send("GET", path, &[], "").status, 403, "{path}");
    }
    // The page that says so can be read: its style is given to all.
    assert_eq!(inspector.send("GET", "/assets/style.css", &[], "").status, 200);
}

#[test]
fn a_foreign_host_or_origin_is_refused() {
    let inspector = Inspector::start(&["--write"]);
    let cookie = ("Cookie", inspector.cookie.as_str());
    let before = inspector.text();
    for host in ["evil.example", "127.0.0.1", &format!("evil.example:{}", inspector.port)] {
        assert_eq!(inspector.send("GET", "/", &[("Host", host), cookie], "").status, 403, "{host}");
        let with_key = format!("/?token={}", inspector.token);
        assert_eq!(inspector.send("GET", &with_key, &[("Host", host)], "").status, 403, "{host}");
    }
    assert_eq!(inspector.send("GET", "/", &[("Host", &format!("localhost:{}", inspector.port)), cookie], "").status, 200);
    let form = inspector.form("MySQL 8");
    for origin in ["http://evil.example", "null", "http://127.0.0.1:1"] {
        assert_eq!(inspector.send("POST", "/apply", &[cookie, ("Origin", origin)], &form).status, 403, "{origin}");
    }
    assert_eq!(inspector.send("POST", "/apply", &[cookie], &form).status, 403);
    let own = format!("http://127.0.0.1:{}", inspector.port);
    let cross = [cookie, ("Origin", own.as_str()), ("Sec-Fetch-Site", "cross-site")];
    assert_eq!(inspector.send("POST", "/apply", &cross, &form).status, 403);
    assert_eq!(inspector.text(), before);
}

#[test]
fn every_answer_is_hardened() {
    let inspector = Inspector::start(&[]);
    for reply in [inspector.get("/"), inspector.get("/assets/app.js"), inspector.get("/nothing"), inspector.send("GET", "/", &[], "")] {
        let policy = reply.header("content-security-policy").expect("a policy");
        assert!(
            policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"),
            "{policy}"
        );
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(reply.header("cache-control"), Some("no-store"));
        assert_eq!(reply.header("referrer-policy"), Some("same-origin"));
        assert!(!reply.body.contains(" style=") && !reply.body.contains("<script>") && !reply.body.contains("onclick"));
    }
}

#[test]
fn no_address_leads_out_of_the_open_files() {
    let inspector = Inspector::start(&[]);
    let paths = [
        "/../secret.md",
        "/..%2fsecret.md",
        "/assets/../../secret.md",
        "/assets/%2e%2e/%2e%2e/secret.md",
        "/fact/..%2f..%2fsecret.md/x",
        "/fact/0/..%2f..%2fsecret.md",
        "/fact/9/abc",
        "/days?file=../secret.md",
        "/days?file=7",
        "/compare?file=-1",
        "/rule/..%2f..%2fsecret",
    ];
    for path in paths {
        let reply = inspector.get(path);
        assert!(matches!(reply.status, 400 | 404), "{path}: {}", reply.status);
        assert!(!reply.body.contains("treasure"), "{path}");
    }
    // A name that leads elsewhere by now is no longer the file that was opened.
    #[cfg(unix)]
    {
        fs::remove_file(inspector.file()).expect("removed");
        std::os::unix::fs::symlink(inspector.folder.path().join("secret.md"), inspector.file()).expect("a link");
        for path in ["/", "/days", "/findings", "/compare"] {
            assert!(!inspector.get(path).body.contains("treasure"), "{path}");
        }
    }
}

#[test]
fn what_a_file_holds_is_shown_and_never_run() {
    let inspector = Inspector::start(&[]);
    let board = inspector.get("/").body;
    assert!(board.contains("&lt;script&gt;alert(1)&lt;/script&gt;") && !board.contains("<script>alert"));
    assert!(board.contains("a\\u{202e}b") && !board.contains('\u{202e}'));
    for word in ["Postgres 16", "ended as of 2026-05-01", "scheduled from 2027-01-01", "3 errors", "AGENTS.md"] {
        assert!(board.contains(word), "{word}: {board}");
    }
    assert!(!board.contains("MySQL 8"));
    let filtered = inspector.get("/?q=postgres").body;
    assert!(filtered.contains("Postgres 16") && !filtered.contains("scheduled from"));
    let hostile = inspector.get("/?q=%22%3E%3Cscript%3Ealert(2)%3C/script%3E");
    assert!(hostile.status == 200 && !hostile.body.contains("<script>alert"));
}

#[test]
fn time_is_shown_on_both_clocks() {
    let inspector = Inspector::start(&[]);
    let board = inspector.get("/").body;
    let link = board.split("href=\"").find(|part| part.starts_with("/fact/") && part.contains(">Port<")).expect("a link");
    let fact = inspector.get(link.split('"').next().expect("an address")).body;
    assert!(
        fact.contains("Was true") && fact.contains("Was believed") && fact.contains("1 from 2026-02-01, then 2 from 2026-03-01"),
        "{fact}"
    );
    let on = |address: &str| {
        let page = inspector.get(address).body;
        let row = page.split("<li").find(|row| row.contains(">Port<")).expect("a row").to_owned();
        row.split("</li>").next().expect("a row").to_owned()
    };
    assert!(on("/days?day=2026-02-10").contains("<bdi>1</bdi>") && !on("/days?day=2026-02-10").contains("<bdi>2</bdi>"));
    assert!(on("/days?day=2026-03-10").contains("<bdi>2</bdi>"));
    // The oldest day is 2026-01-14; the slider counts from it.
    assert!(on("/days?n=27").contains("<bdi>1</bdi>"));
    let page = inspector.get("/compare?from=2026-02-10&to=2026-03-10").body;
    assert!(page.contains("1 fact differs") && page.contains("<bdi>1</bdi>") && page.contains("<bdi>2</bdi>"), "{page}");
    for odd in [
        "/days?day=x&n=99999999999999999999",
        "/days?n=18446744073709551615",
        "/compare?from=0000-00-00&to=+262142-12-31",
        "/days?day=-0001-01-01",
    ] {
        assert_eq!(inspector.get(odd).status, 200, "{odd}");
    }
}

#[test]
fn without_write_nothing_is_written() {
    let inspector = Inspector::start(&[]);
    let page = inspector.get("/findings").body;
    assert!(page.contains("untagged-historical") && page.contains("memfile serve --write") && !page.contains("action=\"/apply\""));
    let reply = inspector.post("/apply", "file=0&finding=all&seen=x");
    assert!(reply.status == 403 && reply.body.contains("read-only"));
    assert_eq!(inspector.text(), MEMORY);
}

#[test]
fn a_chosen_fix_is_written_once_and_journaled() {
    let inspector = Inspector::start(&["--write"]);
    let form = inspector.form("MySQL 8");
    let reply = inspector.post("/apply", &form);
    assert_eq!((reply.status, reply.header("location")), (303, Some("/findings?done=1")), "{}", reply.body);
    let expected = MEMORY.replacen("2026-01-14)", "2026-01-14) [historical] replaced by: Postgres 16 as of 2026-06-20", 1);
    assert_eq!(inspector.text(), expected);
    let journal = inspector.get("/journal").body;
    assert!(
        journal.contains("memfile serve --write") && journal.contains("<ins>") && journal.contains("[historical] replaced by: Postgres 16")
    );
    // The same form again: its text is no longer that of the file.
    let again = inspector.post("/apply", &form);
    assert!(again.status == 409 && again.body.contains("The file changed since this page was made"));
    assert_eq!(inspector.text(), expected);
    let undone = memfile(inspector.folder.path()).arg("undo").status().expect("memfile starts");
    assert!(undone.success());
    assert_eq!(inspector.text(), MEMORY);
}

#[test]
fn a_file_that_changed_meanwhile_is_not_overwritten() {
    let inspector = Inspector::start(&["--write"]);
    let form = inspector.form("MySQL 8");
    let changed = format!("{MEMORY}- New: 1\n");
    fs::write(inspector.file(), &changed).expect("written");
    for form in [form.clone(), form.split("&finding=").next().expect("fields").to_owned() + "&finding=all"] {
        let reply = inspector.post("/apply", &form);
        assert!(reply.status == 409 && reply.body.contains("Nothing was written"), "{}", reply.body);
    }
    assert_eq!(inspector.text(), changed);
    let page = inspector.get("/findings").body;
    let all = page.split("class=\"card all\"").nth(1).expect("all at once");
    let seen = all.split("name=\"seen\" value=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a field");
    let reply = inspector.post("/apply", &format!("file=0&seen={seen}&finding=all"));
    assert_eq!((reply.status, reply.header("location")), (303, Some("/findings?done=3")));
    let (fixed, mut fix) = (inspector.text(), memfile(inspector.folder.path()));
    assert!(fix.args(["fix"]).status().expect("memfile starts").code().is_some());
    assert_eq!(inspector.text(), fixed);
}

#[test]
fn a_change_is_told_to_pages_that_are_open() {
    let inspector = Inspector::start(&[]);
    let stream = inspector.connect("GET", "/events", &[("Cookie", &inspector.cookie)], "");
    let mut lines = BufReader::new(stream).lines().map(|line| line.expect("an event"));
    // A connection without events is kept alive by other lines, for ever.
    let mut next = || lines.by_ref().take(40).find(|line| line.starts_with("data:")).expect("an event");
    assert_eq!(next(), "data: 0");
    // A new file in the place of the old one, as editors save.
    let beside = inspector.folder.path().join("tree/beside");
    fs::write(&beside, format!("{MEMORY}- New: 1\n")).expect("written");
    fs::rename(&beside, inspector.file()).expect("renamed");
    assert_eq!(next(), "data: 1");
    assert!(inspector.get("/").body.contains("data-change=\"1\""));
}

#[test]
fn the_playground_keeps_nothing() {
    let inspector = Inspector::start(&[]);
    assert!(inspector.get("/playground").body.contains("<textarea"));
    let text = "%23%23+Project+memory%0D%0A%0D%0A-+A%3A+1+(since%3A+2026-01-01)%0D%0A-+A%3A+%3Cscript%3Ex%3C%2Fscript%3E+(since%3A+2026-02-01)%0D%0A";
    let reply = inspector.post("/playground", &format!("text={text}"));
    assert_eq!(reply.status, 200);
    for word in
        ["1 fact", "untagged-historical", "[historical] replaced by: &lt;script&gt;", "<div class=\"rendered\">", "<li>A: &lt;script&gt;"]
    {
        assert!(reply.body.contains(word), "{word}: {}", reply.body);
    }
    assert!(!reply.body.contains("<script>x"));
    let before = "%23%23+Project+memory%0D%0A%0D%0A-+A%3A+0%0D%0A";
    let after = "%23%23+Project+memory%0D%0A%0D%0A-+A%3A+1%0D%0A";
    assert!(inspector.post("/playground", &format!("text={after}&before={before}")).body.contains("overwritten"));
    assert!(inspector.post("/playground", "text=-+A%3A+1").body.contains("No managed text"));
    assert!(inspector.post("/playground", "text=-+A%3A+1&whole=yes").body.contains("1 fact"));
    let names: Vec<_> =
        fs::read_dir(inspector.folder.path().join("tree")).expect("a folder").flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(names, ["AGENTS.md"]);
}

#[test]
fn garbage_is_answered_and_the_server_lives() {
    let inspector = Inspector::start(&["--write"]);
    let huge = format!("text={}", "x".repeat(3 << 20));
    assert!(matches!(inspector.post("/playground", &huge).status, 0 | 413));
    let deep = format!("whole=yes&text={}", "%3E+".repeat(40_000));
    assert_eq!(inspector.post("/playground", &deep).status, 200);
    assert!(inspector.post("/apply", "%ff%fe&&==").status >= 400);
    assert!(inspector.post("/apply", "file=99&finding=all&seen=").status >= 400);
    assert_eq!(inspector.send("DELETE", "/", &[("Cookie", &inspector.cookie)], "").status, 403);
    assert_eq!(inspector.post("/findings", "a=b").status, 405);
    let mut stream = TcpStream::connect(("127.0.0.1", inspector.port)).expect("a connection");
    stream.write_all(b"\x16\x03\x01 GET \r\n\r\n").expect("sent");
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    assert_eq!(inspector.get("/%ff%00?q=%ff%00").status, 404);
    fs::write(inspector.file(), b"\xff\xfe").expect("written");
    assert_eq!(inspector.get("/").status, 200);
    fs::remove_file(inspector.file()).expect("removed");
    for path in ["/", "/findings", "/journal"] {
        assert_eq!(inspector.get(path).status, 200, "{path}");
    }
    fs::write(inspector.file(), MEMORY).expect("written");
    assert!(inspector.get("/").body.contains("Postgres 16"));
}

#[test]
#[cfg(unix)]
fn a_signal_ends_it_well_even_while_a_page_listens() {
    let mut inspector = Inspector::start(&[]);
    let stream = inspector.connect("GET", "/events", &[("Cookie", &inspector.cookie)], "");
    let mut lines = BufReader::new(stream).lines();
    assert!(lines.any(|line| line.is_ok_and(|line| line == "data: 0")));
    let id = inspector.child.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().expect("kill starts").success());
    assert_eq!(inspector.child.wait().expect("an end").code(), Some(0));
    let mut rest = String::new();
    inspector.out.read_to_string(&mut rest).expect("the rest");
    assert_eq!(rest, "", "one line on stdout");
}

#[test]
fn what_cannot_be_opened_is_said() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::create_dir(folder.path().join("tree")).expect("a folder");
    let run = |args: &[&str]| memfile(folder.path()).arg("serve").args(args).stderr(Stdio::piped()).output().expect("memfile starts");
    let missing = run(&["missing.md"]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&missing.stderr).contains("missing.md") && missing.stdout.is_empty());
    let taken = std::net::TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let output = run(&["--port", &port]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("in use"));
}
