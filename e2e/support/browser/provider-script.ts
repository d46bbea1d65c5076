import type { Frame, Locator, Page, Route } from "@playwright/test";
import type { SiteverifyProvider, SiteverifyServer, Solved } from "../servers/siteverify-server";

const scripts = {
  recaptcha: "https://www.google.com/recaptcha/api.js",
  turnstile: "https://challenges.cloudflare.com/turnstile/v0/api.js",
} as const;
/** The frames that the providers' scripts draw are pages of their own sites, which a page's policy has to allow. */
const frames = {
  recaptcha: "https://www.google.com/recaptcha/api2/anchor",
  turnstile: "https://challenges.cloudflare.com/cdn-cgi/challenge-platform/widget",
} as const;
const sites = /^https:\/\/(?:[\w-]+\.)*(?:google|gstatic|cloudflare|recaptcha)\.(?:com|net)\//;

/** What a visitor's line makes of the provider's script. */
type Delivery = "answer" | "blocked" | "silent";

export interface ProviderPage {
  /** Scripts of the provider that the page has asked for. */
  readonly requests: string[];
  /** The box to tick, inside the provider's frame; waits until it is there. */
  checkbox(): Promise<Locator>;
  /** What the page asked the script to draw, the last time. */
  options(): Promise<Record<string, unknown>>;
  /** As when the token has become too old. */
  expire(): Promise<void>;
  /** As when the provider's widget cannot go on. */
  fail(code?: string): Promise<void>;
}

/**
 * Puts a stand-in in place of a provider's script on one page: nothing reaches the provider. It draws a frame with a box
 * to tick, and its tokens are ones that the given server accepts.
 */
export async function serveProvider(
  page: Page,
  provider: SiteverifyProvider,
  server: SiteverifyServer,
  delivery: Delivery = "answer",
): Promise<ProviderPage> {
  const requests: string[] = [];
  await page.exposeFunction("issueCaptchaToken", (solved: Solved) => server.issue(solved));
  await page.route(sites, async (route: Route) => {
    const address = route.request().url();
    if (address.startsWith(`${frames[provider]}?`)) {
      return route.fulfill({ contentType: "text/html", body: framePage(new URL(address).searchParams) });
    }
    requests.push(address);
    if (delivery === "silent") return;
    if (delivery === "blocked" || !address.startsWith(`${scripts[provider]}?`)) return route.abort();
    await route.fulfill({
      contentType: "text/javascript",
      body: `(${standIn.toString()})(${JSON.stringify(provider)}, document.currentScript.src, ${JSON.stringify(frames[provider])})`,
    });
  });
  return {
    requests,
    checkbox: async () => (await frameOf(page)).getByRole("checkbox"),
    options: () => page.evaluate(() => (window as unknown as StandInWindow).captchaStandIn.options()),
    expire: () => page.evaluate(() => (window as unknown as StandInWindow).captchaStandIn.expire()),
    fail: (code) =>
      page.evaluate((text) => (window as unknown as StandInWindow).captchaStandIn.fail(text), code),
  };
}

/** The page inside a provider's frame: a box to tick, which tells the page around it. */
function framePage(parameters: URLSearchParams): string {
  const colours = parameters.get("theme") === "dark" ? "#222;color:#fff" : "#f9f9f9;color:#000";
  return (
    `<!doctype html><html lang="en"><title>Check</title><body style="margin:0;background:${colours};` +
    `font:14px sans-serif;box-sizing:border-box;height:100vh;border:1px solid #999">` +
    `<label style="display:flex;align-items:center;gap:12px;padding:24px 12px">` +
    `<input type="checkbox" style="width:20px;height:20px;margin:0">I'm not a robot</label>` +
    `<script>const box = document.querySelector("input");` +
    `box.addEventListener("change", () => box.checked && parent.postMessage("ticked", "*"));` +
    `addEventListener("message", ({ data }) => { if (data === "untick") box.checked = false; });</script>`
  );
}

/** The provider's frame: Turnstile's is in a closed shadow tree, which selectors do not enter. */
async function frameOf(page: Page): Promise<Frame> {
  for (let tries = 0; tries < 600; tries += 1) {
    const frame = page.frame({ name: "captcha" });
    if (frame) return frame;
    await page.waitForTimeout(50);
  }
  throw new Error("The provider's frame did not come.");
}

interface StandInHooks {
  /** What the last widget was drawn with, callbacks by their names only. */
  options(): Record<string, unknown>;
  expire(): void;
  fail(code?: string): void;
}

interface StandInWindow {
  captchaStandIn: StandInHooks;
}

/**
 * Runs in the page, in place of the provider's script, with what the documentation of both says about explicit
 * rendering: `onload`, `ready`, `render`, `reset`, `getResponse`, and Turnstile's `remove`. No reference may leave it.
 */
function standIn(provider: SiteverifyProvider, source: string, frameAddress: string): void {
  interface Options {
    sitekey: string;
    size: string;
    theme: string;
    action?: string;
    callback: (token: string) => void;
    "expired-callback": () => void;
    "error-callback": (code?: string) => unknown;
  }
  interface Widget {
    options: Options;
    frame: HTMLIFrameElement;
    token: string;
  }
  const page = window as unknown as Record<string, unknown> & {
    issueCaptchaToken: (solved: { hostname: string; action?: string }) => Promise<string>;
  };
  const widgets = new Map<string | number, Widget>();
  const parameters = new URL(source).searchParams;
  const sizes: Record<string, [width: string, height: number]> = {
    normal: ["304px", 78],
    compact: provider === "recaptcha" ? ["164px", 144] : ["150px", 140],
    flexible: ["100%", 65],
  };

  function render(place: HTMLElement, options: Options): string | number {
    if (place.childElementCount > 0 || place.shadowRoot) throw new Error("already rendered in this element");
    if (!options.sitekey) throw new Error("Missing required parameters: sitekey");
    const frame = document.createElement("iframe");
    const [width, height] = sizes[options.size] ?? ["", 0];
    frame.name = "captcha";
    frame.title = "Widget of the stand-in";
    frame.style.cssText = `width: ${width}; height: ${height}px; min-width: ${provider === "turnstile" && options.size === "flexible" ? "300px" : "0"}; border: 0; display: block`;
    frame.src = `${frameAddress}?theme=${options.theme}`;
    const widget: Widget = { options, frame, token: "" };
    const id = provider === "recaptcha" ? widgets.size : `cf-chl-widget-${widgets.size}`;
    widgets.set(id, widget);
    // As Turnstile does: no room is taken before there is something to show.
    if (provider === "turnstile") {
      frame.style.height = "0";
      frame.addEventListener("load", () => (frame.style.height = `${height}px`));
    }
    const inside = provider === "turnstile" ? place.attachShadow({ mode: "closed" }) : place;
    inside.append(frame);
    return id;
  }

  window.addEventListener("message", ({ source: sender, data }) => {
    const widget = [...widgets.values()].find(({ frame }) => frame.contentWindow === sender);
    if (widget && data === "ticked") void solve(widget);
  });

  async function solve(widget: Widget): Promise<void> {
    const { action, callback } = widget.options;
    widget.token = await page.issueCaptchaToken({ hostname: location.hostname, ...(action && { action }) });
    callback(widget.token);
  }

  function clear(widget: Widget | undefined): void {
    if (!widget) throw new Error("Invalid widget id");
    widget.token = "";
    widget.frame.contentWindow?.postMessage("untick", "*");
  }

  const last = () => [...widgets.values()].at(-1);
  const api = {
    ready: (callback: () => void) => callback(),
    render,
    reset: (id: string | number) => clear(widgets.get(id)),
    getResponse: (id: string | number) => widgets.get(id)?.token ?? "",
    ...(provider === "turnstile" && {
      remove(id: string | number) {
        widgets.get(id)?.frame.remove();
        widgets.delete(id);
      },
    }),
  };
  page[provider === "recaptcha" ? "grecaptcha" : "turnstile"] = api;
  page.captchaStandIn = {
    options: () => JSON.parse(JSON.stringify(last()?.options ?? {})) as Record<string, unknown>,
    expire() {
      clear(last());
      last()?.options["expired-callback"]();
    },
    fail: (code?: string) => void last()?.options["error-callback"](code),
  } satisfies StandInHooks;
  const onload = page[parameters.get("onload") ?? ""];
  if (parameters.get("render") !== "explicit" || typeof onload !== "function") {
    throw new Error("The script was not asked for explicit rendering");
  }
  setTimeout(onload as () => void, 100);
}
