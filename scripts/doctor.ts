import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { parseBuildSettings, type BuildSettings } from "@/lib/config/build-settings";
import { parseEnv, type Env } from "@/lib/server/config/env";
import { checkRedis } from "./doctor/check-redis";
import { checkCaptcha, checkDelivery, checkLookup, checkMail } from "./doctor/check-services";
import { checkSettings } from "./doctor/check-settings";
import { checkSite, checkTrust } from "./doctor/check-site";
import { ok, problem, warning, type Finding } from "./doctor/finding";
import { fail, print, runTool } from "./lib/terminal";

/* npm run doctor: compares the configuration with reality. Places no order, sends no mail, changes nothing. */

const usage = `Usage: npm run doctor [-- --from <address of the running site> [--address <this machine's public address>]]
  Checks the configuration against Redis and the services around it, and, with --from, the running site.
  Prints one line a check, with what to do. The exit status is 1 when there is a problem.`;

const { values } = parseArgs({ options: { from: { type: "string" }, address: { type: "string" } } });

runTool(run);

async function run(): Promise<number> {
  if (values.from !== undefined && !URL.canParse(values.from)) return fail(usage);
  const build = readBuild();
  const result = parseEnv(process.env, build);
  const findings = result.ok
    ? [...describeWarnings(result.warnings), describeBuild(build), ...(await examine(result.env))]
    : result.problems.map((says) => problem("configuration", says, ".env.example explains every name"));
  for (const finding of findings) print(lineOf(finding));
  const count = (level: Finding["level"]) => findings.filter((finding) => finding.level === level).length;
  print(`\n${count("problem")} problems, ${count("warning")} warnings, ${count("ok")} ok`);
  return count("problem") > 0 ? 1 : 0;
}

/** All checks that need a whole configuration, in the order in which they are printed. */
async function examine(env: Env): Promise<Finding[]> {
  // By itself: it measures.
  const redis = await checkRedis(env);
  const groups = await Promise.all([
    checkCaptcha(env),
    checkLookup(env),
    checkDelivery(env),
    checkMail(env),
    values.from === undefined ? checkTrust(env) : checkSite(env, values.from, values.address),
    checkSettings(env, parseBuildSettings(process.env).SUPPORT_EMAIL),
  ]);
  return [...redis, ...groups.flat()];
}

/** Each is an error line at start-up as well; the sandbox has a check of its own. */
function describeWarnings(warnings: readonly string[]): Finding[] {
  const own = warnings.filter((words) => !words.startsWith("POST_LOOKUP is sandbox"));
  if (own.length === 0) return [ok("configuration", "complete, and without contradictions")];
  return own.map((words) => warning("configuration", words, "correct it; .env.example explains every name"));
}

function describeBuild(build: BuildSettings | undefined): Finding {
  return ok(
    "build",
    build === undefined ? "none in this folder to compare with" : "compared with the one in this folder",
  );
}

/** What the build in this folder was made with, or undefined without one. */
function readBuild(): BuildSettings | undefined {
  const path = join(process.cwd(), ".next", "required-server-files.json");
  if (!existsSync(path)) return undefined;
  const shape = z.object({ config: z.object({ env: z.object({ BUILD_SETTINGS: z.string() }) }) });
  const { BUILD_SETTINGS } = shape.parse(JSON.parse(readFileSync(path, "utf8"))).config.env;
  return parseBuildSettings(JSON.parse(BUILD_SETTINGS));
}

function lineOf({ level, check, says, remedy }: Finding): string {
  const line = `${level.padEnd(7)}  ${check.padEnd(17)}  ${says}`;
  return remedy === undefined ? line : `${line}. To do: ${remedy}`;
}
