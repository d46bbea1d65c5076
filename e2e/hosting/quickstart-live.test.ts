import { expect, test } from "@/testing/test";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "@/scripts/lib/processes.mjs";
import { Webhook } from "standardwebhooks";
import { createOrderPayload } from "@/lib/server/delivery/delivery";
import { webhookSecret } from "@/testing/servers/live-delivery";
import { accepts, freePort } from "@/scripts/lib/ports.mjs";
import { postCode } from "@/testing/sample-posts";
import { ctrlC, openTerminal } from "./terminal";
import { referenceOf, Visitor, visitorAtStep3 } from "@/testing/visitor";

/* npm run quickstart -- --live, typed in a terminal. */

const banner = "a local trial: orders go to the example service on this machine, no likes are sent";
const buildTimeoutMs = 110_000;

function quickstart(cwd: string, port: number, options = "") {
  const { PATH, HOME } = process.env;
  // Skips the check of the types.
  const env = { PATH, HOME, BUILD_TYPES: "checked", PORT: String(port), LIKE_WEBHOOK_SECRET: webhookSecret };
  return openTerminal(`npm run quickstart -- --live ${options}`, { cwd, env });
}

test(
  "in a clone, delivers an order once and listens where asked; Ctrl-C stops all",
  { tag: "@slow" },
  async () => {
    test.setTimeout(300_000);
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
      const list = () => execFileSync(process.execPath, [tool], { encoding: "utf8" });
      expect(list()).toMatch(
        new RegExp(`^${reference} .* 50 likes for the post .*/${postCode}/\\n1 open\\n$`),
      );
      expect((await repeat(service, reference)).status).toBe(409);
      expect(list()).toContain("\n1 open\n");
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
      rmSync(clone, { recursive: true, force: true });
    }
  },
);

test("requires a typed yes, and a terminal to type it in", async () => {
  const port = await freePort();
  const { shows, type, ended, screen } = quickstart(root, port);
  await shows(/Type yes if you make it: /);
  type("y\n");
  expect(await ended()).toBe(1);
  expect(screen()).toContain("Not acknowledged: nothing was started.");
  expect(screen()).not.toContain("takes orders at");
  const env = { ...process.env, PORT: String(port), LIKE_DELIVERY_ACKNOWLEDGED: "yes" };
  const options = { cwd: root, env, encoding: "utf8" } as const;
  expect(spawnSync(process.execPath, ["scripts/serve.mjs", "--live"], options)).toMatchObject({
    ...{ status: 1, stdout: "" },
    stderr: expect.stringContaining("there is no terminal here"),
  });
});

/** Sends the order again, as the site does after a lost response. */
function repeat(url: string, id: string): Promise<Response> {
  const order = createOrderPayload({ id, postId: postCode, postType: "post", likes: 50 });
  const now = new Date();
  const body = JSON.stringify({ ...order, timestamp: now.toISOString() });
  const headers = {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(now.getTime() / 1_000)),
    "webhook-signature": new Webhook(webhookSecret).sign(id, now, body),
  };
  return fetch(url, { method: "POST", headers, body });
}
