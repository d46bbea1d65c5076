/*
 * Makes the builds of builds.ts for the end-to-end tests. node scripts/build-variants.mjs makes the standalone builds.
 * node scripts/build-variants.mjs live serverless makes only these. "serverless" is built by the tool of the serverless host
 * (docs/deploy-serverless.md), which is too large for a package of the project.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { require } from "tsx/cjs/api";
import { copyCheckout } from "./lib/build.mjs";
import { main, root, run, start, UserError } from "./lib/processes.mjs";

const { buildFolder, builds, serverlessBuilds } = require("../testing/servers/builds.ts", import.meta.url);
const toolFolder = join(root, ".data", "programs", "serverless-tool");
let checkout;

await main(async () => {
  const wanted = process.argv.slice(2);
  const names = wanted.length > 0 ? wanted : Object.keys(builds);
  // scripts/verify.mjs counts this status as skipped.
  if (names.includes("serverless") && !(await installTool())) return 75;
  checkout = await copyCheckout();
  for (const name of names) {
    console.log(`Building "${name}" …`);
    const output = name === "serverless" ? await buildServerless() : await buildStandalone(name);
    const target = buildFolder(name);
    rmSync(target, { recursive: true, force: true });
    mkdirSync(dirname(target), { recursive: true });
    renameSync(output, target);
  }
});

/** Returns the environment of a build. Next.js ignores the .env files of the developer. */
function environment(settings) {
  if (!settings) throw new UserError(`Known builds: ${Object.keys(builds)}, serverless.`);
  return { ...process.env, __NEXT_PROCESSED_ENV: "true", BUILD_TYPES: "checked", ...settings };
}

async function buildStandalone(name) {
  const env = { ...environment(builds[name]), BUILD_OUTPUT: "standalone" };
  if ((await run("npm", ["run", "build"], { cwd: checkout, env })) !== 0)
    throw new UserError(`The build "${name}" failed.`);
  return join(checkout, ".next", "standalone");
}

/** Installs the tool unless it is installed. Returns false if the registry has no tool. */
async function installTool() {
  cpSync(join(root, "scripts", "serverless-tool"), toolFolder, { recursive: true });
  // `npm ci` would reject the lock file, because registries lack packages for other platforms.
  const args = ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"];
  return (await run("npm", args, { cwd: toolFolder })) === 0;
}

async function buildServerless() {
  // Without a project, the tool requires a login.
  const ids = { projectId: "prj_local", orgId: "team_local" };
  const project = { ...ids, settings: { framework: "nextjs", installCommand: "true" } };
  mkdirSync(join(checkout, ".vercel"), { recursive: true });
  writeFileSync(join(checkout, ".vercel", "project.json"), JSON.stringify(project));
  const program = join(toolFolder, "node_modules", "vercel", "dist", "vc.js");
  const running = start(process.execPath, [program, "build", "--yes", "--prod"], {
    cwd: checkout,
    env: { ...environment(serverlessBuilds.production), VERCEL_TELEMETRY_DISABLED: "1" },
    stdio: ["ignore", "inherit", "pipe"],
  });
  running.child.stderr.pipe(process.stderr);
  if ((await running.ended) !== 0) throw new UserError(`The build of the serverless host failed.`);
  // The host would choose another major version of Node without notice.
  const [warning] = /^.*Detected "engines".*$/m.exec(running.output("stderr")) ?? [];
  if (warning) throw new UserError(`Correct "engines" in package.json. ${warning}`);
  const output = join(checkout, ".vercel", "output");
  // Copies the files of each function into its folder, as the host does. Other names of a function are links.
  for (const entry of readdirSync(output, { recursive: true, withFileTypes: true })) {
    if (entry.name !== ".vc-config.json") continue;
    const { filePathMap } = JSON.parse(readFileSync(join(entry.parentPath, entry.name), "utf8"));
    for (const [path, source] of Object.entries(filePathMap))
      cpSync(join(checkout, source), join(entry.parentPath, path));
  }
  return output;
}
