import { pbkdf2Sync } from "node:crypto";
import { solveChallenge, type Challenge, type DeriveKeyFunction } from "altcha-lib";
import { parseSetCookie } from "cookie";
import { request } from "undici";
import { linkOf, postCode, postLink } from "./sample-posts";

export interface VisitorOptions {
  /** Sent as x-real-ip, which the servers of the tests trust. Default: a new address. */
  address?: string;
  fingerprint?: string;
  userAgent?: string;
}

export interface PageResponse {
  status: number;
  headers: Headers;
  html: string;
}

export interface ApiResponse {
  status: number;
  headers: Headers;
  body: Record<string, unknown> & { code?: string; message?: string };
}

/** HEALTH_TOKEN of servers whose health the tests read. */
export const healthToken = "health-token-of-the-tests";

/** With the low cost of these tests, the synchronous function is faster than WebCrypto. */
export const deriveKey: DeriveKeyFunction = ({ cost }, salt, password) =>
  Promise.resolve({ derivedKey: new Uint8Array(pbkdf2Sync(password, salt, cost, 32, "sha256")) });

const hostPrefix = "__Host-";
/** Cookies whose names have the prefix on HTTPS sites. */
const hostCookies = /^(?:flow-|rate-limit$)/;

/** A new visitor who sends the same requests as a browser, with cookies, fingerprint and solved captchas. */
export class Visitor {
  /** By their names without the prefix __Host-. */
  readonly cookies = new Map<string, string>();
  /** All Set-Cookie headers of the responses. */
  readonly received: string[] = [];
  readonly #baseUrl: string;
  readonly #withPrefix = new Set<string>();
  readonly options: VisitorOptions;

  constructor(baseUrl: string, options: VisitorOptions = {}) {
    this.#baseUrl = baseUrl;
    this.options = { address: newAddress(), fingerprint: "fingerprint", ...options };
  }

  /** Returns the same visitor for another server. */
  at(baseUrl: string): Visitor {
    const moved = new Visitor(baseUrl, this.options);
    for (const [name, value] of this.cookies) moved.cookies.set(name, value);
    return moved;
  }

  /** Sends a request with the visitor's headers and cookies, and stores the cookies of the response. */
  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = this.#headers(init.headers);
    const response = await fetch(`${this.#baseUrl}${path}`, { redirect: "manual", ...init, headers });
    for (const line of response.headers.getSetCookie()) this.store(line);
    return response;
  }

  /** Opens a page like a browser's navigation. Not with `fetch`, which sets its own Sec-Fetch-Mode. */
  async visit(path: string, extraHeaders: Record<string, string> = {}): Promise<PageResponse> {
    const sent = Object.fromEntries(this.#headers({ "sec-fetch-mode": "navigate", ...extraHeaders }));
    const { statusCode, headers, body } = await request(`${this.#baseUrl}${path}`, { headers: sent });
    const received = new Headers(
      Object.entries(headers).flatMap(([name, value = []]) =>
        [value].flat().map((each): [string, string] => [name, each]),
      ),
    );
    for (const line of received.getSetCookie()) this.store(line);
    return { status: statusCode, headers: received, html: await body.text() };
  }

  get(path: string, headers: Record<string, string> = {}): Promise<ApiResponse> {
    return this.#call(path, { headers });
  }

  post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<ApiResponse> {
    const json = { "content-type": "application/json", ...headers };
    return this.#call(path, { method: "POST", headers: json, body: JSON.stringify(body) });
  }

  async #call(path: string, init: RequestInit): Promise<ApiResponse> {
    const response = await this.fetch(path, init);
    const text = await response.text();
    const body = text ? (JSON.parse(text) as ApiResponse["body"]) : {};
    return { status: response.status, headers: response.headers, body };
  }

  /** Solves a new challenge, and returns the token that the widget would send. */
  async solveCaptcha(): Promise<string> {
    const challenge = (await (await this.fetch("/api/recaptcha/challenge")).json()) as Challenge;
    const solution = await solveChallenge({ challenge, deriveKey });
    if (!solution) throw new Error("the challenge was not solved");
    return Buffer.from(JSON.stringify({ challenge, solution })).toString("base64");
  }

  /** Step 1: passes the captcha for a link. */
  async verify(url = postLink): Promise<void> {
    const token = await this.solveCaptcha();
    const { status, body } = await this.post("/api/recaptcha/verify", { token, url });
    if (status !== 200) throw new Error(`verify responded ${status} ${body.code}`);
  }

  /** Step 2: requests the details of a post. */
  details(url = postLink): Promise<ApiResponse> {
    return this.get(`/api/instagram/post-details?url=${encodeURIComponent(url)}`);
  }

  /** Steps 1 and 2, for a post that the lookup finds. */
  async startFlow(code = postCode): Promise<void> {
    await this.verify(linkOf(code));
    const { status, body } = await this.details(linkOf(code));
    if (body.success !== true) throw new Error(`post-details responded ${status}`);
  }

  /** Steps 1 to 3, with all pages. The lookup may also fail. */
  async goToStep3(link = postLink): Promise<void> {
    await this.verify(link);
    await this.details(link);
    for (const path of ["/verification/", "/get-likes/"]) await this.visit(path);
  }

  /** Step 3: requests the likes. */
  like(code = postCode, idempotencyKey?: string): Promise<ApiResponse> {
    const headers: Record<string, string> = idempotencyKey ? { "idempotency-key": idempotencyKey } : {};
    return this.post("/api/instagram/like", { instagramUrl: linkOf(code) }, headers);
  }

  /** Requests the deep health check, with `healthToken`. */
  health(headers: Record<string, string> = {}): Promise<ApiResponse> {
    return this.get("/api/health?deep=1", { authorization: `Bearer ${healthToken}`, ...headers });
  }

  /** Returns the cookies that a browser would send. */
  sentCookies(): [name: string, value: string][] {
    const secure = this.#baseUrl.startsWith("https:");
    return [...this.cookies].map(([name, value]) => [
      this.#withPrefix.has(name) || (secure && hostCookies.test(name)) ? hostPrefix + name : name,
      value,
    ]);
  }

  /** Returns the header Cookie that a browser would send. */
  cookieHeader(): string {
    return this.sentCookies()
      .map((pair) => pair.join("="))
      .join("; ");
  }

  #headers(initial: RequestInit["headers"]): Headers {
    const headers = new Headers(initial);
    const { address, fingerprint, userAgent } = this.options;
    if (address) headers.set("x-real-ip", address);
    if (fingerprint) headers.set("x-visitor-fingerprint", fingerprint);
    headers.set("user-agent", userAgent ?? "test");
    if (this.cookies.size > 0) headers.set("cookie", this.cookieHeader());
    return headers;
  }

  /** Stores the cookie of a Set-Cookie header. */
  store(setCookie: string): void {
    this.received.push(setCookie);
    const { name: sentName, value = "", maxAge } = parseSetCookie(setCookie, { decode: (text) => text });
    const name = sentName.replace(hostPrefix, "");
    if (name !== sentName) this.#withPrefix.add(name);
    if (maxAge === 0) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

export async function visitorAtStep3(url: string, link = postLink): Promise<Visitor> {
  const visitor = new Visitor(url);
  await visitor.goToStep3(link);
  return visitor;
}

/** Returns a visitor with an accepted order, who is at step 3 of a new flow. */
export async function returningVisitor(url: string): Promise<Visitor> {
  const visitor = await visitorAtStep3(url);
  await visitor.like();
  await visitor.goToStep3();
  return visitor;
}

/** Returns the reference of the order in a response. */
export function referenceOf({ body }: ApiResponse): string {
  return (body.order as { reference: string }).reference;
}

/** Returns the number of likes that a site has used today. */
export async function likesUsed(url: string): Promise<number> {
  const { body } = await new Visitor(url).get("/api/instagram/daily-usage");
  return (body.dailyLimit as { likesUsed: number }).likesUsed;
}

let lastAddress = 0;

/** Returns an unused address. The first 256 are in different networks, because the site also counts per network. */
export function newAddress(): string {
  lastAddress += 1;
  return `198.18.${lastAddress % 256}.${Math.floor(lastAddress / 256) + 1}`;
}
