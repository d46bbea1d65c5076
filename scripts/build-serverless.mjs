/*
 * Builds the checkout with the tool of the serverless host (docs/deploy-serverless.md) into .data/builds/serverless. Copies the
 * files of each function into its folder, as the host does. node scripts/build-serverless.mjs preview builds a preview.
 *
 * The tool is large, so it is not a package of the project. A cache in the user's home keeps it.
 */
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { require } from "tsx/cjs/api";
import { copyCheckout } from "./lib/build.mjs";
import { main, root, run, say, start, UserError } from "./lib/processes.mjs";

const { serverlessBuilds, buildsFolder } = require("../testing/servers/builds.ts", import.meta.url);
const toolFolder = join(root, "scripts", "serverless-tool");

await main(
  async () => {
    const tool = await ensureTool();
    // scripts/verify.mjs counts this status as skipped.
    if (!tool) return 75;
    return build(tool, process.argv[2] ?? "production");
  },
  { interruptedStatus: 130 },
);

/** Returns the path of the tool, and installs it if necessary. Returns undefined if the registry has no tool. */
async function ensureTool() {
  const hash = createHash("sha256");
  for (const name of ["package.json", "package-lock.json"]) hash.update(readFileSync(join(toolFolder, name)));
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "boost50");
  const place = join(cache, `serverless-tool-${hash.digest("hex").slice(0, 12)}`);
  const program = join(place, "node_modules", "vercel", "dist", "vc.js");
  if (existsSync(program)) return program;
  say("Installing the serverless host's tool …");
  const incoming = `${place}.${process.pid}`;
  try {
    cpSync(toolFolder, incoming, { recursive: true });
    // `npm ci` would reject the lock file, because registries lack packages for other platforms.
    const args = ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund"];
    if ((await run("npm", args, { cwd: incoming })) !== 0) {
      say("The serverless host's tool could not be installed; npm's output is above.");
      return undefined;
    }
    rmSync(place, { recursive: true, force: true });
    renameSync(incoming, place);
  } finally {
    rmSync(incoming, { recursive: true, force: true });
  }
  return program;
}

async function build(tool, name) {
  const settings = serverlessBuilds[name];
  if (!settings) throw new UserError(`Known builds: ${Object.keys(serverlessBuilds).join(", ")}.`);
  const checkout = await copyCheckout();
  const project = join(checkout, ".vercel");
  mkdirSync(project);
  // Without a project, the tool requires a login.
  const file = {
    projectId: "prj_local",
    orgId: "team_local",
    settings: { framework: "nextjs", installCommand: "true" },
  };
  writeFileSync(join(project, "project.json"), JSON.stringify(file));
  const env = {
    ...process.env,
    __NEXT_PROCESSED_ENV: "true",
    VERCEL_TELEMETRY_DISABLED: "1",
    BUILD_TYPES: "checked",
    ...settings,
  };
  const args = [tool, "build", "--yes", ...(name === "production" ? ["--prod"] : [])];
  const running = start(process.execPath, args, { cwd: checkout, env, stdio: ["ignore", "inherit", "pipe"] });
  running.child.stderr.pipe(process.stderr);
  if ((await running.ended) !== 0) throw new UserError(`The build "${name}" failed.`);
  // The host would choose another major version of Node without notice.
  const [warning] = /^.*Detected "engines".*$/m.exec(running.output("stderr")) ?? [];
  if (warning) throw new UserError(`Correct "engines" in package.json. ${warning}`);
  const output = join(root, buildsFolder, name === "production" ? "serverless" : `serverless-${name}`);
  rmSync(output, { recursive: true, force: true });
  mkdirSync(dirname(output), { recursive: true });
  renameSync(join(project, "output"), output);
  // Other names of a function are links, which readdirSync does not follow.
  for (const entry of readdirSync(output, { recursive: true, withFileTypes: true }))
    if (entry.name === ".vc-config.json") gatherFiles(entry.parentPath, checkout);
  return 0;
}

/** Copies the files of a function into its folder, because the next build changes the originals. */
function gatherFiles(folder, checkout) {
  const { filePathMap } = JSON.parse(readFileSync(join(folder, ".vc-config.json"), "utf8"));
  for (const [name, source] of Object.entries(filePathMap))
    cpSync(join(checkout, source), join(folder, name));
}
