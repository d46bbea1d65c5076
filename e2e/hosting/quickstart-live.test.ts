import { expect, test } from "@/testing/test";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { accepts, freePort } from "@/scripts/lib/ports.mjs";
import { root, startInBackground } from "@/scripts/lib/processes.mjs";
import { requireProgram } from "@/scripts/lib/programs.mjs";
import { postCode } from "@/testing/sample-posts";
import { until } from "@/testing/until";
import { referenceOf, Visitor, visitorAtStep3 } from "@/testing/visitor";

/* npm run quickstart -- --live, typed in a terminal. */

const banner = "a local trial: orders go to the example service on this machine, no likes are sent";
const buildTimeoutMs = 240_000;
const ctrlC = "\x03";

/** Runs quickstart in a pseudoterminal. */
function quickstart(cwd: string, port: number, options = "") {
  const command = `npm run quickstart -- --live ${options}`;
  const args = ["--quiet", "--flush", "--return", "--command", command, "/dev/null"];
  const { PATH, HOME } = process.env;
  // BUILD_TYPES skips the check of the types.
  const env = { PATH, HOME, NODE_ENV: "production", BUILD_TYPES: "checked", PORT: String(port) };
  const running = startInBackground(requireProgram("script"), args, { cwd, env, stdio: "pipe" });
  return {
    screen: running.output,
    /** Waits until the output matches. Returns the match and its groups. */
    async shows(pattern: RegExp, timeoutMs = 10_000): Promise<string[]> {
      const isThere = () => pattern.test(running.output()) || running.hasEnded();
      await until(String(pattern), isThere, timeoutMs).catch(() => undefined);
      const match = pattern.exec(running.output());
      if (!match) throw new Error(`The screen does not show ${pattern}:\n${running.output()}`);
      return match;
    },
    type: (keys: string) => void running.child.stdin?.write(keys),
    /** Waits until the command ends. Returns its exit status. */
    async ended(): Promise<number> {
      await until("the command ends", running.hasEnded);
      return running.ended;
    },
  };
}

test("in a clone, lists an order and listens where asked; Ctrl-C stops all", { tag: "@slow" }, async () => {
  test.setTimeout(420_000);
  const clone = mkdtempSync(join(root, ".data", "clone-"));
  try {
    // Hard links save time and space. The cache of the last build makes this build faster.
    const copy = `git ls-files -z --cached --others --exclude-standard | xargs -0 cp -a --parents -t ${clone} || true # deleted files
      for each in node_modules examples/delivery-service/node_modules; do cp -al $each ${clone}/$each; done
      mkdir ${clone}/.next && cp -a .next/cache ${clone}/.next`;
    execFileSync("sh", ["-ec", copy], { cwd: root });
    // The build contains the port, so another port would need another build.
    const port = await freePort();
    const { shows, type, ended } = quickstart(clone, port);
    await shows(/real, consenting people[^]*Type yes if you make it: /);
    type("yes\n");
    await shows(/Ctrl-C stops everything\./, buildTimeoutMs);
    const [, site = ""] = await shows(/Open +(http:\/\/\S+)/);
    const [, service = ""] = await shows(/takes orders at (http:\/\/\S+\/likes)/);
    const [, redis = ""] = await shows(/Redis +127\.0\.0\.1:(\d+)/);
    for (const path of ["/", "/faq", "/get-likes/"])
      expect((await new Visitor(site).visit(path)).html).toContain(banner);
    expect(await accepts(port, "127.0.0.2")).toBe(false);

    const doctor = spawnSync("npm", ["run", "--silent", "doctor"], { cwd: clone, encoding: "utf8" });
    expect(doctor.stderr).toBe(`Site ${site}, Redis 127.0.0.1:${redis}\n`);
    for (const check of ["configuration", "redis writes", "delivery"])
      expect(doctor.stdout).toMatch(new RegExp(`^ok +${check}`, "m"));

    const reference = referenceOf(await (await visitorAtStep3(site)).like());
    const tool = join(clone, "examples", "delivery-service", "orders.mjs");
    expect(execFileSync(process.execPath, [tool], { encoding: "utf8" })).toMatch(
      new RegExp(`^${reference} .* 50 likes for the post .*/${postCode}/\\n1 open\\n$`),
    );
    type(ctrlC);
    await ended();
    const ports = [new URL(site).port, new URL(service).port, redis].map(Number);
    expect(await Promise.all(ports.map((port) => accepts(port)))).toEqual([false, false, false]);

    const again = quickstart(clone, port, "--host 0.0.0.0");
    await again.shows(/Type yes if you make it: /);
    again.type("yes\n");
    await again.shows(/need https for the captcha/, buildTimeoutMs);
    expect(await accepts(port, "127.0.0.2")).toBe(true);
    again.type(ctrlC);
    await again.ended();
  } finally {
    rmSync(clone, { recursive: true, force: true, maxRetries: 10 });
  }
});

test("requires a typed yes, and a terminal to type it in", async () => {
  const port = await freePort();
  const { shows, type, ended, screen } = quickstart(root, port);
  await shows(/Type yes if you make it: /);
  type("y\n");
  expect(await ended()).toBe(1);
  expect(screen()).toContain("Not acknowledged: nothing was started.");
  expect(screen()).not.toContain("takes orders at");
  const env = { ...process.env, PORT: String(port), LIKE_DELIVERY_ACKNOWLEDGED: "yes" };
  const piped = spawnSync(process.execPath, ["scripts/serve.mjs", "--live"], { cwd: root, env });
  expect([piped.status, String(piped.stderr)]).toEqual([1, expect.stringContaining("no terminal here")]);
});
