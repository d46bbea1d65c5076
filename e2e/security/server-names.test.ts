import { expect, test, useServers } from "../support/test";
import { sealFlow, createFlow } from "@/lib/server/identity/flow-cookie";
import { sessionSecret } from "../support/servers/app-server";
import { Visitor } from "../support/visitor";

/*
 * Nothing depends on the name by which a process is reached: the guard answers the same whatever address the standalone
 * output is bound to (HOSTNAME), and whatever a proxy in front of it says of host and scheme.
 */

const post = { postId: "Cxyz123abc_", type: "post" as const };
const proxies: Record<string, Record<string, string>> = {
  "no proxy": {},
  "a proxy that keeps the host": { host: "likes.example" },
  "a proxy with TLS": {
    host: "likes.example",
    "x-forwarded-proto": "https",
    "x-forwarded-for": "198.51.100.1",
  },
  "a proxy with a host of its own": {
    "x-forwarded-host": "likes.example",
    "x-forwarded-proto": "https",
    "x-forwarded-port": "443",
  },
};

for (const name of [undefined, "127.0.0.1", "0.0.0.0", "::", "localhost"])
  test.describe(`bound to HOSTNAME=${name}`, () => {
    const servers = useServers({ build: "deployed", env: { HOSTNAME: name, TRUSTED_IP_HEADER: undefined } });

    for (const [title, headers] of Object.entries(proxies))
      test(`the guard shows, opens and redirects behind ${title}`, async () => {
        const newcomer = new Visitor(servers.app.url);
        const started = new Visitor(servers.app.url);
        const flow = { ...createFlow(post), post, visited: ["/verification"] };
        started.cookies.set("flow", await sealFlow(flow, [sessionSecret]));

        const notice = await newcomer.visit("/get-likes/", headers);
        expect([notice.status, notice.html.includes("You Need to Start from the Beginning")]).toEqual([
          200,
          true,
        ]);
        expect((await newcomer.visit("/start-over", headers)).status).toBe(404);
        const home = await newcomer.visit(`/preview/${post.postId}?from=url-entry`, headers);
        expect([home.status, home.headers.get("location")]).toEqual([307, "/"]);

        for (const [path, title] of [
          ["/verification/", "Checking Your Instagram Post"],
          ["/get-likes", "Get 50 Free Instagram Likes"],
          ["/private-account-error", "We Can"],
          [`/preview/${post.postId}/?from=url-entry`, "Get Likes for Your Post"],
        ] as const) {
          const { status, html } = await started.visit(path, headers);
          expect([path, status, html.includes(`<title>${title}`)]).toEqual([path, 200, true]);
        }
      });
  });
