import type { Locator, Page } from "@playwright/test";
import type { SiteverifyProvider, SiteverifyServer, Solved } from "@/testing/servers/siteverify-server";
import { until } from "@/testing/until";

const addresses = {
  recaptcha: {
    script: "https://www.google.com/recaptcha/api.js",
    frame: "https://www.google.com/recaptcha/api2/anchor",
  },
  turnstile: {
    script: "https://challenges.cloudflare.com/turnstile/v0/api.js",
    frame: "https://challenges.cloudflare.com/cdn-cgi/challenge-platform/widget",
  },
} as const;
const providerSites = /^https:\/\/(?:[\w-]+\.)*(?:google|gstatic|cloudflare|recaptcha)\.(?:com|net)\//;

export interface ProviderPage {
  /** URLs of the provider's scripts that the page has requested. */
  readonly requests: string[];
  /** Waits for the checkbox inside the provider's frame. */
  checkbox(): Promise<Locator>;
  /** Returns the options of the last rendered widget. */
  options(): Promise<Record<string, unknown>>;
  /** Expires the token of the widget. */
  expire(): Promise<void>;
  /** Reports an error of the widget. */
  fail(code: string): Promise<void>;
}

interface FakeHooks {
  options(): Record<string, unknown>;
  expire(): void;
  fail(code: string): void;
}

/**
 * Replaces a provider's script on a page with a fake, so that the page sends no request to the provider. The fake
 * renders a frame with a checkbox, and gets its tokens from the server. With `blocked`, the request for the script fails.
 */
export async function serveProvider(
  page: Page,
  provider: SiteverifyProvider,
  server: SiteverifyServer,
  blocked = false,
): Promise<ProviderPage> {
  const requests: string[] = [];
  const { script, frame } = addresses[provider];
  await page.exposeFunction("issueCaptchaToken", (solved: Solved) => server.issue(solved));
  await page.route(providerSites, async (route) => {
    const address = route.request().url();
    if (address.startsWith(`${frame}?`)) {
      return route.fulfill({ contentType: "text/html", body: framePage(new URL(address).searchParams) });
    }
    requests.push(address);
    if (blocked || !address.startsWith(`${script}?`)) return route.abort();
    await route.fulfill({
      contentType: "text/javascript",
      body: `(${fakeScript.toString()})("${provider}", document.currentScript.src, "${frame}")`,
    });
  });
  const call = <Name extends keyof FakeHooks>(name: Name, code = "") =>
    page.evaluate(
      ([name, code]) => (window as unknown as { captchaFake: FakeHooks }).captchaFake[name](code),
      [name, code] as const,
    ) as Promise<ReturnType<FakeHooks[Name]>>;
  return {
    requests,
    async checkbox() {
      // The frame of Turnstile is in a closed shadow tree, which selectors do not find.
      await until("the provider's frame is there", () => page.frame({ name: "captcha" }) !== null);
      return page.frame({ name: "captcha" })!.getByRole("checkbox");
    },
    options: () => call("options"),
    expire: () => call("expire"),
    fail: (code) => call("fail", code),
  };
}

/** Returns the HTML of a provider's frame: a checkbox that sends a message to the page around it. */
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

/**
 * Runs in the page in place of the provider's script. Implements the documented functions for explicit rendering of
 * both providers. It cannot use anything outside this function.
 */
function fakeScript(provider: SiteverifyProvider, source: string, frameAddress: string): void {
  interface Options {
    sitekey: string;
    size: string;
    theme: string;
    action?: string;
    callback: (token: string) => void;
    "expired-callback": () => void;
    "error-callback": (code: string) => unknown;
  }
  interface Widget {
    options: Options;
    frame: HTMLIFrameElement;
    token: string;
  }
  const page = window as unknown as Record<string, unknown> & {
    issueCaptchaToken: (solved: Solved) => Promise<string>;
  };
  const isTurnstile = provider === "turnstile";
  const widgets = new Map<string | number, Widget>();
  const sizes: Record<string, [width: string, height: number]> = {
    normal: ["304px", 78],
    compact: isTurnstile ? ["150px", 140] : ["164px", 144],
    flexible: ["100%", 65],
  };

  function render(place: HTMLElement, options: Options): string | number {
    if (place.childElementCount > 0 || place.shadowRoot) throw new Error("already rendered in this element");
    if (!options.sitekey) throw new Error("Missing required parameters: sitekey");
    const frame = document.createElement("iframe");
    const [width, height] = sizes[options.size] ?? ["", 0];
    const minWidth = options.size === "flexible" ? "300px" : "0";
    frame.name = "captcha";
    frame.title = "Widget of the tests";
    frame.style.cssText = `width: ${width}; height: ${height}px; min-width: ${minWidth}; border: 0; display: block`;
    frame.src = `${frameAddress}?theme=${options.theme}`;
    const id = isTurnstile ? `cf-chl-widget-${widgets.size}` : widgets.size;
    widgets.set(id, { options, frame, token: "" });
    if (isTurnstile) {
      // Turnstile has no height until its frame has loaded.
      frame.style.height = "0";
      frame.addEventListener("load", () => (frame.style.height = `${height}px`));
    }
    (isTurnstile ? place.attachShadow({ mode: "closed" }) : place).append(frame);
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

  function reset(widget: Widget | undefined): void {
    if (!widget) throw new Error("Invalid widget id");
    widget.token = "";
    widget.frame.contentWindow?.postMessage("untick", "*");
  }

  const last = () => [...widgets.values()].at(-1);
  page[isTurnstile ? "turnstile" : "grecaptcha"] = {
    ready: (callback: () => void) => callback(),
    render,
    reset: (id: string | number) => reset(widgets.get(id)),
    getResponse: (id: string | number) => widgets.get(id)?.token ?? "",
    ...(isTurnstile && {
      remove(id: string | number) {
        widgets.get(id)?.frame.remove();
        widgets.delete(id);
      },
    }),
  };
  page.captchaFake = {
    // Functions are not part of the result.
    options: () => JSON.parse(JSON.stringify(last()?.options ?? {})) as Record<string, unknown>,
    expire() {
      reset(last());
      last()?.options["expired-callback"]();
    },
    fail: (code) => void last()?.options["error-callback"](code),
  } satisfies FakeHooks;
  const parameters = new URL(source).searchParams;
  const onload = page[parameters.get("onload") ?? ""];
  if (parameters.get("render") !== "explicit" || typeof onload !== "function") {
    throw new Error("The script was requested without explicit rendering.");
  }
  setTimeout(onload as () => void, 100);
}
