import { shareOf } from "@/lib/config/network-caps";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { rateLimitPolicies as rate } from "@/lib/server/http/rate-limits";
import { altchaDifficulty } from "@/lib/config/captcha";
import { buildSettingNames } from "@/lib/config/build-settings";
import { limits, networkShares } from "@/lib/config/limits";
import { orderMessageSchema } from "@/lib/schemas/order";
import { scripts, version } from "@/package.json";
import lockFile from "@/package-lock.json";
import { orderSchema, orderSchemaPath } from "./order-schema";

const root = join(__dirname, "..");
const inDocs = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" });
const documents = [
  "README.md",
  "SECURITY.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  "examples/delivery-service/README.md",
  ...inDocs.map((path) => join("docs", path)),
].filter((path) => path.endsWith(".md"));
const read = (path: string) => readFileSync(join(root, path), "utf8");
const matches = (text: string, pattern: RegExp) =>
  Array.from(text.matchAll(pattern), ([, found = ""]) => found);

it.each(documents)("names only existing files and npm scripts in %s", (path) => {
  const text = read(path);
  const links = matches(text, /\]\(([^)#:]+)(?:#[^)]*)?\)/g).map((link) => join(dirname(path), link));
  const named = matches(text, /`((?:app|components|docs|e2e|examples|lib|scripts)\/[\w./()[\]-]+\.\w+)`/g);
  expect([...links, ...named].filter((file) => !existsSync(join(root, file)))).toEqual([]);
  const commands = matches(text, /npm run (?:--silent )?([\w:-]+)/g);
  expect(commands.filter((name) => !(name in scripts))).toEqual([]);
});

it("describes orders in a current JSON Schema (npm run order-schema), with the example of the delivery guide", () => {
  expect(JSON.parse(read(orderSchemaPath))).toEqual(orderSchema);
  const [example = ""] = matches(read("docs/delivery.md"), /^(\{"type":"likes.requested"[^]*?)\n```/gm);
  expect(orderSchema.examples).toEqual([orderMessageSchema.parse(JSON.parse(example))]);
});

it("has the same version in package.json, the lock file and the changelog", () => {
  const [newest] = matches(read("CHANGELOG.md"), /^## ([\d.]+) \(\d{4}-\d{2}-\d{2}\)$/gm);
  expect([lockFile.version, lockFile.packages[""].version, newest]).toEqual(Array(3).fill(version));
});

it("uses the numbers of the product in the threat model and in the record of the limits of a minute", () => {
  const text = `${read("docs/threat-model.md")} ${read("docs/decisions/0009-limits-of-a-minute.md")}`.replace(
    /\s+/g,
    " ",
  );
  const orders = limits.dailyLikeLimit / limits.likesPerRequest;
  const perAddress = limits.maxRequestsPerAddressPerDay;
  const tries = altchaDifficulty.tries / 2;
  const number = (value: number) => value.toLocaleString("en-US");
  for (const words of [
    `${number(limits.dailyLikeLimit)} likes a day in orders of ${limits.likesPerRequest} are **${number(orders)} orders**`,
    `${perAddress} accepted requests in 24 hours: **${Math.ceil(orders / perAddress)} addresses**`,
    ...Object.entries(networkShares).map(
      ([kind, share]) =>
        `| ${kind === "address" ? "IPv4 address, IPv6 /64" : kind} | ${share} % | ${(orders * share) / 100} |`,
    ),
    `(at 6 it takes ${Math.ceil(orders / 6)} addresses`,
    `${tries} tries of ${number(altchaDifficulty.cost)} rounds on average`,
    `${rate.verify.requests} accepted checks a minute and address: ${perAddress} requests take three minutes`,
    `at most ${rate.lookup.requests} times a flow, and ${shareOf("address", limits.lookupsPerHour)} times an hour for an address`,
    `bodies up to ${limits.bodyBytes / 1_024} KiB`,
    `${rate.verify.requests} accepted and ${rate.rejectedVerify.requests} rejected checks a minute`,
    `${rate.like.requests} requests for likes a minute`,
    `at most ${rate.request.requests} requests of an address in ${rate.request.windowSeconds} seconds`,
    `${rate.challenge.requests} challenges and ${rate.notFoundReport.requests} reports`,
    `More than ${(rate.challenge.requests * networkShares["IPv4 /24"]) / networkShares.address} people of one /24`,
  ]) {
    expect(text).toContain(words);
  }
  expect(perAddress / Math.min(rate.verify.requests, rate.like.requests)).toBe(3);
});

it("passes exactly the settings that pages show to the build of images", () => {
  const [, argument = ""] = /^ARG ((?:.*\\\n)*.*)$/m.exec(read("Dockerfile")) ?? [];
  expect(argument.split(/[\s\\]+/).sort()).toEqual([...buildSettingNames].sort());
  const passed = matches(read("compose.yaml"), /^ {8}([A-Z_]+): \$\{\1:-\}$/gm);
  expect(passed.sort()).toEqual([...buildSettingNames].sort());
});

it("names every event and route in the guide of the log", () => {
  const guide = read("docs/logging.md");
  const [, types = ""] = /type LogEvent =([^;]*);/.exec(read("lib/server/log/log.ts")) ?? [];
  const events = matches(types, /"([^"]+)"/g);
  expect(events.length).toBeGreaterThan(5);
  expect(events.filter((event) => !guide.includes(`| \`${event}\``))).toEqual([]);
  const files = readdirSync(join(root, "app", "api"), { recursive: true, encoding: "utf8" });
  const routes = files
    .filter((path) => path.endsWith("route.ts"))
    .map((path) => read(join("app", "api", path)))
    .flatMap((source) => matches(source, /(?:\bname: |(?:form|sharedText)Route\(\s*)"([\w-]+)"/g));
  expect(routes.length).toBeGreaterThan(10);
  expect(routes.filter((route) => !guide.includes(`\`${route}\``))).toEqual([]);
});
