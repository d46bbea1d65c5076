import { connect } from "node:net";

export interface RawRequest {
  method?: string;
  /** Second word of the request line, sent unchanged. HTTP clients would normalize it. */
  target: string;
  /** Header lines in their order. A name may occur twice. `rawRequest` adds Host, Connection and Content-Length. */
  headers?: readonly (readonly [string, string])[];
  body?: string | Buffer;
}

/** Sends a request unchanged over a new connection. Reads the response until the server closes the connection. */
export async function rawRequest(port: number, { method = "GET", target, headers = [], body }: RawRequest) {
  const given = new Set(headers.map(([name]) => name.toLowerCase()));
  const added: [string, string][] = [["connection", "close"]];
  if (!given.has("host")) added.unshift(["host", `localhost:${port}`]);
  if (body !== undefined && !given.has("content-length") && !given.has("transfer-encoding")) {
    added.push(["content-length", String(Buffer.byteLength(body))]);
  }
  const lines = [...added, ...headers].map(([name, value]) => `${name}: ${value}\r\n`);
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n`, "latin1");
  const connection = await openConnection(port, Buffer.concat([head, Buffer.from(body ?? "")]));
  await connection.ended;
  // A server that refuses a body unread may reset the connection after its response.
  if (connection.received() === "") throw new Error(`no response to ${method} ${target}`);
  return parseResponse(Buffer.from(connection.received(), "latin1"));
}

function parseResponse(bytes: Buffer) {
  const end = bytes.indexOf("\r\n\r\n");
  const [statusLine = "", ...lines] = bytes.toString("latin1", 0, Math.max(0, end)).split("\r\n");
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(":");
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  const rest = bytes.subarray(end + 4);
  const body = headers.get("transfer-encoding") === "chunked" ? joinChunks(rest) : rest;
  return { status: Number(statusLine.split(" ")[1] ?? 0), headers, body: body.toString("utf8") };
}

function joinChunks(bytes: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; ;) {
    const line = bytes.indexOf("\r\n", at);
    const size = line < 0 ? 0 : parseInt(bytes.toString("latin1", at, line), 16);
    if (!size) return Buffer.concat(chunks);
    chunks.push(bytes.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
}

/** Opens a connection and sends `text` unchanged. The test can write more to `socket`. */
export async function openConnection(port: number, text: string | Buffer = "") {
  const startedAt = performance.now();
  const socket = connect(port, "localhost");
  let received = "";
  socket.on("data", (chunk) => (received += chunk.toString("latin1")));
  // A reset also closes the connection.
  socket.on("error", () => undefined);
  const ended = new Promise<number>((resolve) => {
    socket.on("close", () => resolve((performance.now() - startedAt) / 1_000));
  });
  await new Promise((resolve) => socket.once("connect", resolve).once("close", resolve));
  if (text.length > 0) socket.write(text);
  return {
    socket,
    /** Returns all text received so far. */
    received: () => received,
    /** Resolves when this number of responses has begun, or the connection has closed. */
    responses: (count: number) =>
      new Promise<void>((resolve) => {
        const check = (): void => {
          if (received.split("HTTP/1.1 ").length > count) resolve();
        };
        socket.on("data", check).on("close", () => resolve());
        check();
      }),
    /** Resolves when the connection has closed, with the seconds since it was opened. */
    ended,
  };
}

/** Returns the text of a request. `line` is method and target. `body` follows the headers. */
export function requestText(line: string, headers: readonly string[] = [], body = ""): string {
  return `${[`${line} HTTP/1.1`, "host: localhost", ...headers].join("\r\n")}\r\n\r\n${body}`;
}
