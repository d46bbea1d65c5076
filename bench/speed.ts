import { statSync } from "node:fs";
import { join } from "node:path";
import { sealData } from "iron-session";
import { sessionSecret, startApp, type AppServer } from "@/e2e/support/servers/app-server";
import { liveDelivery, webhookSecret } from "@/e2e/support/servers/live-delivery";
import { newAddress } from "@/e2e/support/visitor";
import { startReceiver } from "@/e2e/support/servers/webhook-receiver";
import type { RedisServer } from "@/e2e/support/servers/redis-server";
import { pages } from "@/lib/http/pages";
import { createFlow, sealFlow } from "@/lib/server/identity/flow-cookie";
import { compare, measureLoad, type Comparison, type LoadPlan, type Target } from "./load";

/** Pages of the product, and the blank ones that send as many bytes: the address of each. */
const equallyHeavy = {
  disclaimer: "/as-disclaimer",
  index: "/as-home",
  "get-likes": "/guarded/as-get-likes",
};

/** What the blank app needs besides its page, to stand beside the product's pages and its API. */
export function floors(): Record<string, string> {
  const heavy = Object.entries(equallyHeavy).map(([page, path]) => [
    `app${path}/page.jsx`,
    blankPage(statSync(join(".next", "server", "app", `${page}.html`)).size),
  ]);
  return { ...light, ...Object.fromEntries(heavy) };
}

/** A page of about so many bytes. Its words stand in it twice: as HTML, and as data for the script. */
function blankPage(bytes: number): string {
  const lightest = 4_300;
  const words = "blank ".repeat(Math.max(0, bytes - lightest) / 2 / 6);
  return `export default function Page() { return <p>${words}</p>; }`;
}

const light: Record<string, string> = {
  // A guard that only opens the seal, in the product's runtime; one that could not would be no floor.
  "middleware.js": `
    import { unsealData } from "iron-session";
    import { NextResponse } from "next/server";
    export async function middleware(request) {
      const secret = process.env.SESSION_SECRET;
      const flow = await unsealData(request.cookies.get("flow")?.value ?? "", { password: secret });
      return flow.id ? NextResponse.next() : new NextResponse("The seal did not open.", { status: 500 });
    }
    export const config = { runtime: "nodejs", matcher: ["/guarded", "/guarded/as-get-likes"] };`,
  "app/guarded/page.jsx": "export default function Page() { return <p>Guarded.</p>; }",
  "app/api/blank/route.js": `
    export const dynamic = "force-dynamic";
    export const GET = () => Response.json({ success: true });
    export const POST = async (request) => Response.json({ success: true, body: await request.json() });`,
};

/** The least that each target should reach of its floor's requests per second. */
const wanted: Record<string, { floor: string; equal?: string; ratio?: number }> = {
  "static page: disclaimer": { floor: "blank page", equal: "blank page, as heavy as disclaimer", ratio: 0.9 },
  "static page: home": { floor: "blank page", equal: "blank page, as heavy as home", ratio: 0.9 },
  "flow page behind the guard: get-likes": {
    floor: "blank page behind a guard",
    equal: "blank page behind a guard, as heavy as get-likes",
    ratio: 0.9,
  },
  "daily-usage": { floor: "blank route", ratio: 0.8 },
  status: { floor: "blank route", ratio: 0.6 },
  "post-details": { floor: "blank route" },
  "like, Redis and webhook included": { floor: "blank route, POST", ratio: 0.35 },
};

const plan: LoadPlan = { rounds: 11, requestsPerRound: 300, concurrency: 16 };
const code = "Cxyz123abc_";
const link = `https://www.instagram.com/p/${code}/`;
const post = { postId: code, type: "post" } as const;

export interface SpeedRow extends Partial<Comparison> {
  name: string;
  perSecond: number;
  p50: number;
  p99: number;
  floor?: string;
  target?: number;
  /** Of the requests per second of a blank page that sends as many bytes. */
  ofEqual?: number;
}

/** Puts the product beside the blank app, which was started with the session secret of the tests. */
export async function measureSpeed(blank: AppServer, redis: RedisServer): Promise<SpeedRow[]> {
  const receiver = await startReceiver({ secret: webhookSecret });
  const app = await startApp({
    redisUrl: redis.url,
    env: {
      TRUSTED_IP_HEADER: "x-real-ip",
      BURST_LIMIT_SCALE: "1000000",
      DAILY_LIKE_LIMIT: "100000000",
      ...liveDelivery(receiver),
    },
  });
  try {
    const visitors = () =>
      Promise.all(Array.from({ length: (plan.rounds + 1) * plan.requestsPerRound }, () => visitorAtStep3()));
    const [orders, lookups] = [await visitors(), await visitors()];
    const visitor = { headers: await visitorAtStep3() };
    const blankVisitor = {
      headers: { cookie: `flow=${await sealData(createFlow(post), { password: sessionSecret })}` },
    };
    const get = (name: string, url: string, more: object = {}): Target => ({
      name,
      next: () => ({ url, ...more }),
    });
    const targets: Target[] = [
      get("blank page", blank.url),
      get("blank page, as heavy as disclaimer", blank.url + equallyHeavy.disclaimer),
      get("static page: disclaimer", `${app.url}/disclaimer`),
      get("blank page, as heavy as home", blank.url + equallyHeavy.index),
      get("static page: home", app.url),
      get("blank page behind a guard", `${blank.url}/guarded`, blankVisitor),
      get(
        "blank page behind a guard, as heavy as get-likes",
        blank.url + equallyHeavy["get-likes"],
        blankVisitor,
      ),
      get("flow page behind the guard: get-likes", `${app.url}/get-likes/`, visitor),
      get("blank route", `${blank.url}/api/blank`),
      get("daily-usage", `${app.url}/api/instagram/daily-usage`),
      get("status", `${app.url}/api/instagram/status`, visitor),
      {
        name: "post-details",
        next: () => ({ url: `${app.url}/api/instagram/post-details`, headers: lookups.pop() ?? {} }),
      },
      {
        name: "blank route, POST",
        next: () => ({ ...like(visitor.headers), url: `${blank.url}/api/blank` }),
      },
      {
        name: "like, Redis and webhook included",
        next: () => ({ ...like(orders.pop() ?? {}), url: `${app.url}/api/instagram/like` }),
      },
    ];
    const speeds = await measureLoad(targets, plan);
    return [...speeds].map(([name, { rounds, ...speed }]) => {
      const { floor = "", equal = "", ratio: target } = wanted[name] ?? {};
      const over = (other: string) => {
        const others = speeds.get(other)?.rounds;
        return others && compare(rounds, others);
      };
      return { name, ...speed, floor, ...over(floor), target, ofEqual: over(equal)?.ratio };
    });
  } finally {
    await app.stop();
    await receiver.stop();
  }
}

/** The headers of someone who was never here and whose post was found. */
async function visitorAtStep3(): Promise<Record<string, string>> {
  const address = newAddress();
  const flow = { ...createFlow(post), post, visited: [pages.verification.path, pages.getLikes.path] };
  return {
    "x-real-ip": address,
    "x-visitor-fingerprint": `fingerprint of ${address}`,
    cookie: `flow=${await sealFlow(flow, [sessionSecret])}`,
  };
}

function like(headers: Record<string, string>): Omit<ReturnType<Target["next"]>, "url"> {
  return {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ instagramUrl: link }),
  };
}
