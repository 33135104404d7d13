#!/usr/bin/env node
// Starts the program of this platform with the same arguments, streams and exit code. The program is in a package of its own
// (memfile-linux-x64 and the like), so that an installation holds one platform and downloads nothing by itself.
"use strict";

const { spawn } = require("node:child_process");

const name = `memfile-${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`${name}/${process.platform === "win32" ? "memfile.exe" : "memfile"}`);
} catch {
  console.error(
    `memfile: no program for ${process.platform} ${process.arch}: the package ${name} is not installed. ` +
      "Optional dependencies may have been left out; else build memfile with cargo.",
  );
  process.exit(2);
}

const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
// A terminal sends its signals to both of us; others send them here alone.
const signals = ["SIGTERM", "SIGHUP", "SIGINT"];
for (const signal of signals) {
  process.on(signal, () => {
    if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
  });
}
child.on("error", (error) => {
  console.error(`memfile: ${program}: ${error.message}`);
  process.exit(2);
});
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code);
  signals.forEach((handled) => process.removeAllListeners(handled));
  process.kill(process.pid, signal);
});
