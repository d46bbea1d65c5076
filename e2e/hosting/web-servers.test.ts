import { expect, test, useServers } from "@/testing/test";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { connect as connectHttp2 } from "node:http2";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { connect as connectTls } from "node:tls";
import { indexablePages, aliases, legacyPaths, pages } from "@/lib/http/pages";
import type { AppServer } from "@/testing/servers/app-server";
import { buildFolder } from "@/testing/servers/builds";
import { freePort } from "@/scripts/lib/ports.mjs";
import { deployedNodePath, ensureDeployedNode } from "@/scripts/lib/node-versions.mjs";
import { printedSettings } from "../operators/printed-commands";
import { startFlow } from "@/testing/browser/flow-pages";
import { type TestServers } from "@/testing/servers/test-servers";
import { healthToken, referenceOf, Visitor } from "@/testing/visitor";
import { behindWebServer, startCaddy, startNginx, type WebServer } from "@/testing/servers/web-server";

/*
 * The shipped Caddyfile and the printed configuration of nginx, over TLS, in front of the standalone output. Caddy serves
 * prerendered pages from files, and proxies all other requests to the process. nginx proxies all requests. Behind Caddy runs the
 * Node version of the guides and the image. All other tests use the Node version of the machine.
 */

const release = buildFolder("deployed");

/** Headers that differ between servers, and headers of the framework. */
const ownHeaders =
  /^(?:accept-ranges|alt-svc|connection|content-encoding|content-length|date|etag|keep-alive|last-modified|server|transfer-encoding|vary|via|x-middleware-rewrite|x-nextjs-.*)$/;

function headersOf(answer: Response): Record<string, string> {
  const entries = [...answer.headers].filter(([name]) => !ownHeaders.test(name));
  const type = answer.headers
    .get("content-type")
    ?.toLowerCase()
    .replace("application/javascript", "text/javascript")
    .replace("application/xml", "text/xml");
  return { ...Object.fromEntries(entries), "content-type": type?.split(";")[0] ?? "" };
}

test.describe("Caddy", () => {
  let port: number;
  let upstream: number;
  let app: AppServer;
  let web: Awaited<ReturnType<typeof startCaddy>>;
  const servers: TestServers = useServers({}, async (parts) => {
    [port, upstream] = [await freePort(), await freePort()];
    expect(await ensureDeployedNode()).toBe(true);
    app = await startProcess({}, parts);
    web = await parts.keep(startCaddy({ release, upstream, port }));
    return {};
  });

  function startProcess(env: Record<string, string | undefined> = {}, parts = servers): Promise<AppServer> {
    const options = { build: "deployed", program: deployedNodePath, port: upstream, live: true } as const;
    const common = { ...behindWebServer(port), HEALTH_TOKEN: healthToken };
    return parts.start({ ...options, env: { ...common, ...env } });
  }
  async function restartProcess(env?: Record<string, string | undefined>): Promise<void> {
    await app.stop();
    app = await startProcess(env);
  }
  const answersOf = (path: string, init: RequestInit = {}): Promise<[Response, Response]> => {
    const ask = (base: string) => fetch(base + path, { redirect: "manual", ...init });
    return Promise.all([ask(app.url), ask(web.url)]);
  };
  const bodyOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer()).toString("base64");

  const open = [...indexablePages.map(({ path }) => path), ...Object.keys(aliases)];
  for (const path of [
    ...open.flatMap((path) => (path === "/" ? [path] : [path, `${path}/`])),
    // Missing and internal pages.
    ...["/no-such-page", "/faq/index.html", "/pages/faq", "/404.html", "/404", "/500/", "/_not-found"],
    ...["/_global-error", "/index.html", "/preview", "/icons/*.png", "/[a-z]con.svg", ...legacyPaths],
    ...[pages.startOver.path, pages.failure.path],
    // Files.
    ...["/robots.txt", "/sitemap.xml", "/manifest.webmanifest", "/favicon.ico", "/icon.svg", "/apple-icon"],
    ...["/speculation-rules.json", "/icons/192.png", "/share-images/home.png", "/samples/post.svg"],
    ...["/altcha/pbkdf2.worker.js", "/licenses.txt"],
  ])
    test(`serves ${path} with the status, headers and bytes of the process`, async () => {
      const [own, other] = await answersOf(path);
      expect(other.status).toBe(own.status);
      expect(headersOf(other)).toEqual(headersOf(own));
      expect((await bodyOf(other)) === (await bodyOf(own))).toBe(true);
    });

  test("caches assets for a year, compresses text, and responds 304 to a known ETag", async () => {
    const html = await (await fetch(`${web.url}/`)).text();
    const named = [...html.matchAll(/"(\/(?:_next\/static|site)\/[^"\\]+)"/g)].map(([, path]) => path ?? "");
    const sheet = named.find((path) => path.endsWith(".css")) ?? "";
    const styles = await (await fetch(web.url + sheet)).text();
    const typefaces = [...styles.matchAll(/url\(([^)]+\.woff2)\)/g)].map(
      ([, path = ""]) => new URL(path, web.url + sheet).pathname,
    );
    expect([named.length > 3, typefaces.length]).toEqual([true, 2]);
    const assets = [...named, ...typefaces];
    for (const path of new Set(assets)) {
      const [own, other] = await answersOf(path);
      expect({ path, status: other.status, ...headersOf(other) }).toEqual({
        path,
        status: 200,
        ...headersOf(own),
      });
      expect(other.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    }
    for (const path of ["/", "/faq/", assets.find((asset) => asset.endsWith(".js")) ?? ""]) {
      const plain = await bodyOf(await fetch(web.url + path, { headers: { "accept-encoding": "identity" } }));
      for (const encoding of ["identity", "br", "gzip"]) {
        const answer = await fetch(web.url + path, { headers: { "accept-encoding": encoding } });
        expect(answer.headers.get("content-encoding") ?? "identity").toBe(encoding);
        expect(answer.headers.get("vary")).toMatch(/accept-encoding/i);
        const etag = answer.headers.get("etag") ?? "";
        expect((await bodyOf(answer)) === plain).toBe(true);
        const again = await fetch(web.url + path, {
          headers: { "accept-encoding": encoding, "if-none-match": etag },
        });
        expect([again.status, await again.text()]).toEqual([304, ""]);
      }
    }
  });

  test("hides the metrics, also from requests with the token", async () => {
    const headers = { authorization: `Bearer ${healthToken}` };
    const paths = ["/api/metrics", "/api/metrics/", "/api/%6detrics", "/api//metrics", "/api/metrics?x"];
    for (const path of paths) {
      const [, other] = await answersOf(path, { headers });
      expect([path, other.status]).toEqual([path, 404]);
      expect(await other.text()).not.toContain("boost50_");
    }
    const [own] = await answersOf("/api/metrics", { headers });
    expect([own.status, await own.text()]).toEqual([200, expect.stringContaining("boost50_redis_up 1")]);
  });

  const get = (path: string, host = "likes.localhost") => `GET ${path} HTTP/1.0\r\nHost: ${host}\r\n`;
  const post = "POST /api/instagram/like HTTP/1.1\r\nHost: likes.localhost\r\nConnection: close\r\n";
  const long = `Content-Length: 130000\r\n\r\n${"x".repeat(130_000)}`;
  const malformed = "Transfer-Encoding: chunked\r\n\r\nz\r\n";
  const notFound = /^\S+ 404 .*Content-Type: text\/html.*<title>Page Not Found/s;
  const requests: [what: string, scheme: "http" | "https", request: string, response: RegExp][] = [
    ["a late header", "http", get("/faq"), /^$/],
    ["the site's host", "http", `${get("/faq")}\r\n`, /^\S+ 308 .*: https:\/\/likes.localhost:\d+\/faq\r/s],
    ["another host", "http", `${get("/", "other.example")}\r\n`, /^\S+ 421 .*text\/plain.*\r\n\r\nThis /s],
    ["another host", "https", `${get("/", "other.example")}\r\n`, /^\S+ 421 /],
    ["a long body", "https", post + long, /^\S+ 413 .*no-store.*"body_too_large"/s],
    ["a malformed chunk", "https", post + malformed, /^\S+ 400 .*no-store.*"invalid_json"/s],
    ["a range", "https", `${get("/faq")}Range: bytes=999999-\r\nIf-Match: "x"\r\n\r\n`, /^\S+ 200 /],
    ["a missing page", "https", `${get("/icon.svg/")}If-None-Match: *\r\n\r\n`, notFound],
  ];
  for (const [what, scheme, request, response] of requests)
    test(`responds to ${what} over ${scheme}`, async () => {
      const secure = () => connectTls({ port, servername: "likes.localhost" });
      const socket = scheme === "https" ? secure() : connect(Number(web.env.HTTP_PORT));
      socket.write(request);
      const received = await text(socket);
      expect(received).toMatch(response);
      expect(received).not.toMatch(/Retry-After|Allow/);
    });

  test("responds 405 to a POST request for a page, over HTTP/2", async () => {
    const session = connectHttp2(web.url);
    const status = await new Promise((resolve, reject) => {
      session
        .on("error", reject)
        .request({ ":path": "/faq", ":method": "POST" })
        .on("response", (headers) => resolve(headers[":status"]));
    });
    session.close();
    expect(status).toBe(405);
  });

  test("leads a browser from a pasted link to the receipt, over https", async ({ open }) => {
    const { page, problems } = await open();
    await startFlow(page, web.url, "https://www.instagram.com/p/Cxyz123abc_/");
    await page.getByRole("link", { name: "Preview this post" }).click();
    await page.getByRole("button", { name: "Get 50 Free Likes" }).click();
    await page.getByRole("heading", { name: "Likes Delivered Successfully!" }).waitFor();
    const cookies = await page.context().cookies();
    const names = cookies.map(({ name: cookie, secure }) => `${cookie} ${secure}`.replace(/\d{13}/, "N"));
    expect(names.sort()).toEqual([
      ...["", "-link", "-post", "-receipt", "-verification"].map((part) => `__Host-flow-N${part} true`),
      "__Host-rate-limit true",
    ]);
    // The home page ends the flow.
    await page.goto(`${web.url}/`);
    await expect.poll(() => page.evaluate(() => document.cookie)).toBe("");
    expect(problems).toEqual([]);
  });

  test("serves content pages and 503 responses while the process is down, and recovers", async () => {
    const visitor = new Visitor(web.url, { fingerprint: "fp" });
    await visitor.verify();
    await app.kill();
    for (const path of ["/", "/faq", "/contact/"]) expect((await visitor.visit(path)).status).toBe(200);
    const step = await visitor.visit("/verification/");
    expect(step.headers.get("cache-control")).toBe("private, no-cache, no-store, max-age=0, must-revalidate");
    expect(step.html).toMatch(/<title>[^<]*\| Boost50<\/title>[^]*An error occurred/);
    // After a 4xx response, the page would send the next request under another Idempotency-Key.
    const [status, like] = [await visitor.get("/api/instagram/status"), await visitor.like()];
    for (const { body, headers } of [status, like]) {
      expect(body).toMatchObject({ success: false, code: "service_unavailable" });
      expect(headers.get("content-type")).toMatch(/^application\/json/);
    }
    for (const response of [step, status, like])
      expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
    app = await startProcess();
    expect((await visitor.visit("/verification/")).status).toBe(200);
    expect((await visitor.get("/api/instagram/status")).status).toBe(200);
  });

  test("writes few lines and no address of a visitor to its log while the process is down", async () => {
    await app.stop();
    const before = web.output();
    const pages = ["/verification/", "/api/instagram/status", "/no-such-page"];
    const responses = Array.from({ length: 200 }, async (_, n) => {
      await new Promise((resolve) => setTimeout(resolve, n * 10));
      return (await fetch(web.url + pages[n % 3])).arrayBuffer();
    });
    await Promise.all(responses);
    const written = web.output().slice(before.length);
    expect(written).not.toMatch(/client: |remote_ip/);
    expect(written.split("\n").length).toBeLessThan(10);
    app = await startProcess();
  });

  test("trusts the visitor's address only from a configured CDN", async () => {
    const cdnPort = await freePort();
    const cdn = await startCaddy({ release, upstream, port: cdnPort, trustedProxies: "127.0.0.1/32" });
    await restartProcess({ TRUSTED_PROXY_HOPS: "2" });
    const forged = { "x-forwarded-for": "192.0.2.9, 198.51.100.7" };
    const seen = async (base: string) => (await new Visitor(base).health(forged)).body.you;
    expect(await seen(cdn.url)).toEqual({ address: "198.51.100.7" });
    await cdn.stop();
    await restartProcess();
    expect(await seen(web.url)).toEqual({ address: "127.0.0.1" });
  });
});

test.describe("nginx with the text of the guide", () => {
  let upstream: number;
  let app: AppServer;
  let web: WebServer;
  let accessLog: string;
  let httpPort: number;
  useServers({}, async (parts) => {
    const port = await freePort();
    [upstream, httpPort] = [await freePort(), await freePort()];
    const env = { ...behindWebServer(port), HEALTH_TOKEN: healthToken };
    app = await parts.start({ build: "deployed", port: upstream, env });
    web = await parts.keep(
      startNginx(port, (home) => {
        accessLog = join(home, "access.log");
        const guide = join(__dirname, "..", "..", "docs", "proxies.md");
        return printedSettings(guide, "proxy_pass", "nginx")
          .replaceAll("/etc/letsencrypt/live/likes.example", home)
          .replaceAll("likes.example", "likes.localhost")
          .replace("/var/log/nginx/error.log", "stderr")
          .replace("127.0.0.1:3000", `127.0.0.1:${upstream}`)
          .replace(/(listen \S*?)80;/g, `$1${httpPort};`)
          .replace(/(listen \S*?)443 /g, `$1${port} `);
      }),
    );
    return {};
  });

  test("leads a visitor from the link to the receipt, and logs no address", async () => {
    const visitor = new Visitor(web.url);
    const { body } = await visitor.health({ "x-forwarded-for": "192.0.2.9" });
    expect(body.you).toEqual({ address: "127.0.0.1" });
    await visitor.goToStep3();
    const reference = referenceOf(await visitor.like());
    expect((await visitor.visit(pages.success.path)).html).toContain("Likes Delivered Successfully!");
    expect((await visitor.get("/api/instagram/receipt")).body.order).toMatchObject({ reference });
    const insecure = await fetch(`http://likes.localhost:${httpPort}/faq`, { redirect: "manual" });
    expect([insecure.status, insecure.headers.get("location")]).toEqual([301, "https://likes.localhost/faq"]);
    expect([readFileSync(accessLog, "utf8"), web.output()]).toEqual(["", ""]);
  });

  test("responds 502 while the process is away, and sends no request for likes twice", async () => {
    await app.stop();
    const visitor = new Visitor(web.url);
    const post = async () => (await visitor.fetch("/api/instagram/like", { method: "POST" })).status;
    expect(await post()).toBe(502);
    // nginx would most likely repeat a request on a connection that it has used before.
    const methods: string[] = [];
    const broken = createServer(({ method = "", socket }, response) => {
      methods.push(method);
      if (method === "POST") socket.destroy();
      else response.end();
    });
    await new Promise<void>((resolve) => broken.listen(upstream, "127.0.0.1", resolve));
    expect((await visitor.fetch("/")).status).toBe(200);
    expect([await post(), methods]).toEqual([502, ["GET", "POST"]]);
    broken.close();
    expect(web.output()).toBe("");
  });
});
