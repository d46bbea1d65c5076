import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseBuildSettings, type BuildSettings } from "@/lib/config/build-settings";
import { parseEnv, type Env } from "@/lib/server/config/env";
import { checkRedis } from "./doctor/check-redis";
import { checkCaptcha, checkDelivery, checkLookup, checkMail } from "./doctor/check-services";
import { checkSettings } from "./doctor/check-settings";
import { checkSite, checkTrust } from "./doctor/check-site";
import { findingsOf, type Finding } from "./doctor/finding";
import { escapeControls, fail, parseArguments, print, runTool } from "./lib/terminal";

/* npm run doctor: checks the settings, Redis, the services and the running site. Sends no order and no mail. */

const usage = `Usage: npm run doctor [-- --from <address of the running site> [--address <this machine's public address>]]
  Checks the configuration against Redis and the services around it, and, with --from, the running site.
  Prints one line a check, with what to do. The exit status is 1 when there is a problem.`;

const { values } = parseArguments(usage, {
  options: { from: { type: "string" }, address: { type: "string" } },
});

runTool(run);

async function run(): Promise<number> {
  if (values.from !== undefined && !URL.canParse(values.from)) return fail(usage);
  const configuration = findingsOf("configuration");
  const build = readBuildSettings();
  const result = parseEnv(process.env, build);
  const findings = result.ok
    ? [...describeWarnings(result.warnings), ...(await checkAll(result.env))]
    : result.problems.map((says) => configuration.problem(says, ".env.example explains every name"));
  for (const { level, check, says, remedy } of findings) {
    const line = `${level.padEnd(7)}  ${check.padEnd(17)}  ${says}`;
    print(escapeControls(remedy === undefined ? line : `${line}. To do: ${remedy}`));
  }
  const count = (level: Finding["level"]) => findings.filter((finding) => finding.level === level).length;
  print(`\n${count("problem")} problems, ${count("warning")} warnings, ${count("ok")} ok`);
  return count("problem") > 0 ? 1 : 0;
}

async function checkAll(env: Env): Promise<Finding[]> {
  // The other checks would disturb the measurement of Redis.
  const redis = await checkRedis(env);
  const others = await Promise.all([
    checkCaptcha(env),
    checkLookup(env),
    checkDelivery(env),
    checkMail(env),
    values.from === undefined ? checkTrust(env) : checkSite(env, values.from, values.address),
    checkSettings(env, parseBuildSettings(process.env).SUPPORT_EMAIL),
  ]);
  return [...redis, ...others.flat()];
}

/** Describes the warnings of parseEnv. checkLookup reports the sandbox. */
function describeWarnings(warnings: readonly string[]): Finding[] {
  const { ok, warning } = findingsOf("configuration");
  const others = warnings.filter((text) => !text.startsWith("POST_LOOKUP is sandbox"));
  if (others.length === 0) return [ok("complete, and without contradictions")];
  return others.map((text) => warning(text, "correct it; .env.example explains every name"));
}

/** Returns the settings of the build in this folder, or undefined without a build. */
function readBuildSettings(): BuildSettings | undefined {
  const path = join(process.cwd(), ".next", "build-settings.json");
  return existsSync(path) ? parseBuildSettings(JSON.parse(readFileSync(path, "utf8"))) : undefined;
}
