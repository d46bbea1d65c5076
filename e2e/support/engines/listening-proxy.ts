import { once } from "node:events";
import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** Of the site itself, for the browser: the policy lets a page load the one and write to the other. */
const listenerPath = "/listener-of-the-tests.js";
const problemsPath = "/problems-for-the-tests";

export interface ListeningProxy {
  /** host:port */
  host: string;
  /** What went wrong on the pages that came through, as they tell it. */
  problems: string[];
  stop(): Promise<void>;
}

/**
 * A proxy for a browser that cannot be given a script to run first: it puts a listener for errors and violations before
 * each page's own scripts, and gives the visitor an address. `script` is JavaScript that then runs, too.
 */
export async function startListeningProxy(address: string, script = ""): Promise<ListeningProxy> {
  const problems: string[] = [];
  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, problems, stop };

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const url = new URL(incoming.url ?? "");
    if (url.pathname === listenerPath) {
      outgoing
        .setHeader("content-type", "text/javascript")
        .end(`(${String(listen)})("${problemsPath}");${script}`);
    } else if (url.pathname === problemsPath) {
      problems.push(await text(incoming));
      outgoing.writeHead(204).end();
    } else {
      await pass(url, incoming, outgoing, address);
    }
  }

  async function stop(): Promise<void> {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  }
}

async function pass(
  url: URL,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  address: string,
): Promise<void> {
  const headers = { ...incoming.headers, "x-real-ip": address, "accept-encoding": "identity" };
  const onward = request(url, { method: incoming.method, headers });
  incoming.pipe(onward);
  const [answer] = (await once(onward, "response")) as [IncomingMessage];
  if (!answer.headers["content-type"]?.startsWith("text/html")) {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
    return;
  }
  const html = (await text(answer)).replace("<head>", `<head><script src="${listenerPath}"></script>`);
  const kept = { ...answer.headers };
  delete kept["content-length"];
  delete kept["transfer-encoding"];
  outgoing.writeHead(answer.statusCode ?? 502, kept).end(html);
}

/** In the page, first of all. */
function listen(path: string): void {
  const write = console.error.bind(console);
  console.error = (...words) => {
    navigator.sendBeacon(path, words.map(String).join(" "));
    write(...words);
  };
  addEventListener("error", ({ message }) => console.error(message));
  addEventListener("unhandledrejection", ({ reason }) => console.error(String(reason)));
  addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
    console.error(`the policy's ${violatedDirective} has refused ${blockedURI}`),
  );
}
