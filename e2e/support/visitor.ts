import { request, type IncomingMessage } from "node:http";
import { request as requestOverTls } from "node:https";
import { text } from "node:stream/consumers";
import { solveChallenge, type Challenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import { linkOf, postCode, postLink } from "./sample-posts";

export interface VisitorOptions {
  /** Sent as x-real-ip, which the servers of these tests trust; a new one unless given. */
  address?: string;
  /** Of the browser; undefined for one that has none. */
  fingerprint?: string;
  userAgent?: string;
}

export interface PageAnswer {
  status: number;
  headers: Headers;
  html: string;
}

export interface ApiAnswer {
  status: number;
  headers: Headers;
  body: Record<string, unknown> & { code?: string; message?: string };
}

const hostPrefix = "__Host-";
/** The cookies that are bound to the site's host where it has https. */
const hostCookies = ["flow", "rate-limit"];

/** Somebody who was never here, and talks to the API as the browser does: cookies, fingerprint, a solved captcha. */
export class Visitor {
  /** By their plain names: over https the site's own begin with __Host-. */
  readonly cookies = new Map<string, string>();
  readonly #baseUrl: string;
  readonly #bound = new Set<string>();
  readonly options: VisitorOptions;

  constructor(baseUrl: string, options: VisitorOptions = {}) {
    this.#baseUrl = baseUrl;
    this.options = { address: newAddress(), fingerprint: "fingerprint", ...options };
  }

  /** The same visitor at another server of the product. */
  at(baseUrl: string): Visitor {
    const moved = new Visitor(baseUrl, this.options);
    for (const [name, value] of this.cookies) moved.cookies.set(name, value);
    return moved;
  }

  /** A raw request with this visitor's headers and cookies; the answer's cookies are kept. */
  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = this.#headers(init.headers);
    const response = await fetch(`${this.#baseUrl}${path}`, { redirect: "manual", ...init, headers });
    for (const line of response.headers.getSetCookie()) this.#keep(line);
    return response;
  }

  /** Opens a page as a browser's navigation; not by `fetch`, which insists on its own Sec-Fetch-Mode. */
  async visit(path: string, extraHeaders: Record<string, string> = {}): Promise<PageAnswer> {
    const headers = Object.fromEntries(this.#headers({ "sec-fetch-mode": "navigate", ...extraHeaders }));
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const ask = this.#baseUrl.startsWith("https:") ? requestOverTls : request;
      ask(`${this.#baseUrl}${path}`, { headers }, resolve).on("error", reject).end();
    });
    for (const line of answer.headers["set-cookie"] ?? []) this.#keep(line);
    const answerHeaders = new Headers();
    for (const [name, value] of Object.entries(answer.headers)) answerHeaders.set(name, String(value));
    return { status: answer.statusCode ?? 0, headers: answerHeaders, html: await text(answer) };
  }

  async get(path: string): Promise<ApiAnswer> {
    return answerOf(await this.fetch(path));
  }

  async post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<ApiAnswer> {
    return answerOf(
      await this.fetch(path, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
      }),
    );
  }

  /** Solves a fresh challenge, and returns the token that the widget would send. */
  async solveCaptcha(): Promise<string> {
    const challenge = (await (await this.fetch("/api/recaptcha/challenge")).json()) as Challenge;
    const solution = await solveChallenge({ challenge, deriveKey });
    if (!solution) throw new Error("the challenge was not solved");
    return Buffer.from(JSON.stringify({ challenge, solution })).toString("base64");
  }

  /** Step 1: passes the captcha for a link. */
  async verify(url = postLink): Promise<void> {
    const { status, body } = await this.post("/api/recaptcha/verify", {
      token: await this.solveCaptcha(),
      url,
    });
    if (status !== 200) throw new Error(`verify answered ${status} ${body.code}`);
  }

  /** Step 2: asks what is known of a post. */
  details(url = postLink): Promise<ApiAnswer> {
    return this.get(`/api/instagram/post-details?url=${encodeURIComponent(url)}`);
  }

  /** Steps 1 and 2, for a post that is found. */
  async startFlow(code = postCode): Promise<void> {
    await this.verify(linkOf(code));
    const { status, body } = await this.details(linkOf(code));
    if (body.success !== true) throw new Error(`post-details answered ${status}`);
  }

  /** Step 3: requests the likes. */
  like(code = postCode, idempotencyKey?: string): Promise<ApiAnswer> {
    return this.post(
      "/api/instagram/like",
      { instagramUrl: linkOf(code) },
      idempotencyKey ? { "idempotency-key": idempotencyKey } : {},
    );
  }

  #headers(initial: RequestInit["headers"]): Headers {
    const headers = new Headers(initial);
    const { address, fingerprint, userAgent } = this.options;
    if (address) headers.set("x-real-ip", address);
    if (fingerprint) headers.set("x-visitor-fingerprint", fingerprint);
    headers.set("user-agent", userAgent ?? "test");
    if (this.cookies.size > 0) {
      headers.set(
        "cookie",
        this.sentCookies()
          .map((pair) => pair.join("="))
          .join("; "),
      );
    }
    return headers;
  }

  /** The cookies as a browser would send them. */
  sentCookies(): [name: string, value: string][] {
    const secure = this.#baseUrl.startsWith("https:");
    return [...this.cookies].map(([name, value]) => [
      this.#bound.has(name) || (secure && hostCookies.includes(name)) ? hostPrefix + name : name,
      value,
    ]);
  }

  #keep(setCookie: string): void {
    const [pair = "", ...attributes] = setCookie.split(";");
    const given = pair.slice(0, pair.indexOf("="));
    const isBound = given.startsWith(hostPrefix);
    const name = isBound ? given.slice(hostPrefix.length) : given;
    if (isBound) this.#bound.add(name);
    const expired = attributes.some((attribute) => /^\s*max-age=0$/i.test(attribute));
    if (expired) this.cookies.delete(name);
    else this.cookies.set(name, pair.slice(given.length + 1));
  }
}

async function answerOf(response: Response): Promise<ApiAnswer> {
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text ? (JSON.parse(text) as ApiAnswer["body"]) : {},
  };
}

/** Somebody who has opened every page up to step 3, with a post that was looked up on the way. */
export async function visitorAtStep3(url: string, link = postLink): Promise<Visitor> {
  const visitor = new Visitor(url);
  await visitor.verify(link);
  await visitor.details(link);
  for (const path of ["/verification/", "/get-likes/"]) await visitor.visit(path);
  return visitor;
}

/** The reference of the order that an answer tells of. */
export function referenceOf({ body }: ApiAnswer): string {
  return (body.order as { reference: string }).reference;
}

/** How many of today's likes a site has used. */
export async function likesUsed(url: string): Promise<number> {
  const { body } = await new Visitor(url).get("/api/instagram/daily-usage");
  return (body.dailyLimit as { likesUsed: number }).likesUsed;
}

let lastAddress = 0;

/** An address that no test has used before, and as long as there are some in a network that none has: those count, too. */
export function newAddress(): string {
  lastAddress += 1;
  return `198.18.${lastAddress % 256}.${Math.floor(lastAddress / 256) + 1}`;
}

/** A visitor with an accepted order, who is at step 3 again with a new flow. */
export async function returningVisitor(url: string): Promise<Visitor> {
  const visitor = await visitorAtStep3(url);
  await visitor.like();
  await visitor.startFlow();
  await visitor.visit("/verification");
  await visitor.visit("/get-likes");
  return visitor;
}
