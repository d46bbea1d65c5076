import { expect, test, useServers } from "@/testing/test";
import { newVisitorInFlow } from "@/testing/visitor-in-flow";
import { Visitor } from "@/testing/visitor";

/* The guard works for every value of HOSTNAME and for every host and scheme that a proxy sends. */

const host = "likes.example";
const proxies: Record<string, Record<string, string>> = {
  "no proxy": {},
  "a proxy that keeps the host": { host },
  "a proxy with TLS": { host, "x-forwarded-proto": "https", "x-forwarded-for": "198.51.100.1" },
  "a proxy that changes the host": {
    "x-forwarded-host": host,
    "x-forwarded-proto": "https",
    "x-forwarded-port": "443",
  },
};

for (const name of [undefined, "127.0.0.1", "0.0.0.0", "::", "localhost"])
  test.describe(`with HOSTNAME=${name}`, () => {
    const servers = useServers({ build: "deployed", env: { HOSTNAME: name, TRUSTED_IP_HEADER: undefined } });

    for (const [proxy, headers] of Object.entries(proxies))
      test(`the guard shows pages and redirects behind ${proxy}`, async () => {
        const newVisitor = new Visitor(servers.app.url);
        const { html } = await newVisitor.visit("/get-likes/", headers);
        expect(html).toContain("You Need to Start from the Beginning");
        const home = await newVisitor.visit("/preview/x?from=url-entry", headers);
        expect([home.status, home.headers.get("location")]).toEqual([307, "/"]);
        const flow = { visited: ["/verification"] };
        const started = await newVisitorInFlow(servers.app.url, undefined, flow);
        const step3 = await started.visit("/get-likes", headers);
        expect(step3.html).toContain("<title>Get 50 Free Instagram Likes");
      });
  });
