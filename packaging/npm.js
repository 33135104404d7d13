#!/usr/bin/env node
// Builds the npm packages: node packaging/npm.js [OUT] [--unbundled]
//
// Two tarballs go to OUT (dist/ where it is left out): memfile-PLATFORM-VERSION.tgz with the program of this platform, and
// memfile-VERSION.tgz, which starts it. The second holds the first, so that it installs by itself. With --unbundled it holds
// none and names all platform packages in OUT as optional dependencies: for a registry, after each platform was built.
// MEMFILE_BIN names a program that is built already.
"use strict";

const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

const root = path.dirname(__dirname);
const args = process.argv.slice(2);
const unbundled = args.includes("--unbundled");
const out = path.resolve(args.find((arg) => !arg.startsWith("--")) ?? path.join(root, "dist"));
const run = (program, args, options) => execFileSync(program, args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"], ...options });

const metadata = JSON.parse(run("cargo", ["metadata", "--no-deps", "--format-version", "1"], { maxBuffer: 1 << 26 }));
const { version } = metadata.packages.find((one) => one.name === "memfile");
const file = process.platform === "win32" ? "memfile.exe" : "memfile";
let program = process.env.MEMFILE_BIN;
if (!program) {
  run("cargo", ["build", "--release", "--locked", "--bin", "memfile"], { stdio: "inherit" });
  program = path.join(metadata.target_directory, "release", file);
}

const template = JSON.parse(fs.readFileSync(path.join(root, "npm/package.json"), "utf8"));
const stage = fs.mkdtempSync(path.join(os.tmpdir(), "memfile-npm-"));
fs.mkdirSync(out, { recursive: true });

// Puts the files of a package into `folder`: its package.json, the licenses, and what `files` says.
function lay(folder, description, files) {
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, "package.json"), `${JSON.stringify(description, null, 2)}\n`);
  for (const name of ["LICENSE-MIT", "LICENSE-APACHE"]) fs.copyFileSync(path.join(root, name), path.join(folder, name));
  for (const [to, from] of files) {
    fs.mkdirSync(path.dirname(path.join(folder, to)), { recursive: true });
    fs.copyFileSync(from, path.join(folder, to));
    fs.chmodSync(path.join(folder, to), to.endsWith(".md") ? 0o644 : 0o755);
  }
}
const pack = (folder) => console.log(path.join(out, run("npm", ["pack", "--silent", "--pack-destination", out], { cwd: folder, shell: process.platform === "win32" }).trim()));

try {
  const name = `memfile-${process.platform}-${process.arch}`;
  const { description, license, keywords } = template;
  const own = {
    name,
    version,
    description: `The program of memfile for ${process.platform} ${process.arch}`,
    license,
    os: [process.platform],
    cpu: [process.arch],
    // The program is linked with the system's C library.
    ...(process.platform === "linux" ? { libc: [process.report.getReport().header.glibcVersionRuntime ? "glibc" : "musl"] } : {}),
    files: [file, "LICENSE-*"],
  };
  const wrapper = path.join(stage, "memfile");
  const inside = path.join(wrapper, "node_modules", name);
  lay(inside, own, [[file, program]]);
  pack(inside);

  const tail = `-${version}.tgz`;
  const built = fs.readdirSync(out).filter((one) => one.endsWith(tail) && one !== `memfile${tail}` && one.startsWith("memfile-"));
  const platforms = unbundled ? built.map((one) => one.slice(0, -tail.length)).sort() : [name];
  if (unbundled) fs.rmSync(path.join(wrapper, "node_modules"), { recursive: true });
  lay(
    wrapper,
    {
      ...template,
      version,
      description,
      keywords,
      optionalDependencies: Object.fromEntries(platforms.map((one) => [one, version])),
      ...(unbundled ? {} : { bundleDependencies: platforms }),
    },
    [
      ["bin/memfile.js", path.join(root, "npm/bin/memfile.js")],
      ["README.md", path.join(root, "README.md")],
    ],
  );
  pack(wrapper);
} finally {
  fs.rmSync(stage, { recursive: true, force: true });
}
