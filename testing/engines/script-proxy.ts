import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { isSkippedTransition } from "../browser/open-page";
import { newAddress } from "../visitor";
import type { Look } from "./engine-page";

/** Paths on the site's own origin, because the content security policy allows no other origin. */
const scriptPath = "/script-of-the-tests.js";
const problemsPath = "/problems-for-the-tests";

const library = readFileSync(
  require.resolve("@testing-library/dom/dist/@testing-library/dom.umd.min.js"),
  "utf8",
);

/**
 * Starts a proxy, because WebDriver can neither set headers nor run a script before a page's own scripts. The proxy adds
 * x-real-ip to requests, and a script to pages: it reports errors and policy violations to `problems`, contains the
 * library that `findElement` needs, and then runs `script`.
 */
export async function startScriptProxy({ script = "", fails }: Pick<Look, "script" | "fails">) {
  const problems: string[] = [];
  const address = newAddress();

  async function respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const url = new URL(incoming.url ?? "");
    if (url.pathname === scriptPath) {
      const source = `(${String(reportProblems)})("${problemsPath}");${library};${script}`;
      outgoing.setHeader("content-type", "text/javascript").end(source);
    } else if (url.pathname === problemsPath) {
      const problem = await text(incoming);
      if (!isSkippedTransition(problem)) problems.push(problem);
      outgoing.writeHead(204).end();
    } else if (await fails?.(url.pathname)) {
      outgoing.writeHead(503).end();
    } else {
      await forward(url, incoming, outgoing);
    }
  }

  async function forward(url: URL, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const headers = { ...incoming.headers, "x-real-ip": address, "accept-encoding": "identity" };
    const onward = request(url, { method: incoming.method, headers });
    incoming.pipe(onward);
    const [response] = (await once(onward, "response")) as [IncomingMessage];
    const status = response.statusCode ?? 502;
    if (!response.headers["content-type"]?.startsWith("text/html")) {
      response.pipe(outgoing.writeHead(status, response.headers));
      return;
    }
    const html = (await text(response)).replace("<head>", `<head><script src="${scriptPath}"></script>`);
    // The length has changed. Node sets the header for the new body.
    delete response.headers["content-length"];
    delete response.headers["transfer-encoding"];
    outgoing.writeHead(status, response.headers).end(html);
  }

  const server = createServer((incoming, outgoing) => {
    respond(incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    problems,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Runs in the page, before the page's own scripts. */
function reportProblems(path: string): void {
  const write = console.error.bind(console);
  console.error = (...parts) => {
    navigator.sendBeacon(path, parts.map(String).join(" "));
    write(...parts);
  };
  addEventListener("error", ({ message }) => console.error(message));
  addEventListener("unhandledrejection", ({ reason }) => console.error(String(reason)));
  addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
    console.error(`the policy's ${violatedDirective} has refused ${blockedURI}`),
  );
}
