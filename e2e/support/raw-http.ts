import { connect, type Socket } from "node:net";

export interface RawAnswer {
  status: number;
  /** Lower-case names; lines of the same name joined by ", ". */
  headers: Headers;
  body: string;
}

export interface RawRequest {
  method?: string;
  /** As it stands in the request line: no client library gets to tidy it up. */
  target: string;
  /** Lines of the head, in order; the same name may come twice. Host, and the length of a body, are added. */
  headers?: readonly (readonly [string, string])[];
  body?: string | Buffer;
}

/** Sends a request over a connection of its own, exactly as written, and reads the answer until the connection ends. */
export function rawRequest(
  port: number,
  { method = "GET", target, headers = [], body }: RawRequest,
): Promise<RawAnswer> {
  const given = new Set(headers.map(([name]) => name.toLowerCase()));
  const own: [string, string][] = [["connection", "close"]];
  if (!given.has("host")) own.unshift(["host", `localhost:${port}`]);
  if (body !== undefined && !given.has("content-length") && !given.has("transfer-encoding")) {
    own.push(["content-length", String(Buffer.byteLength(body))]);
  }
  const lines = [...own, ...headers].map(([name, value]) => `${name}: ${value}\r\n`);
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n`, "latin1");
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, "localhost", () =>
      socket.write(Buffer.concat([head, Buffer.from(body ?? "")])),
    );
    socket.on("data", (chunk) => chunks.push(chunk as Buffer));
    // A server that refuses a body without reading it may reset the connection after its answer.
    socket.on("error", (error) => (chunks.length > 0 ? undefined : reject(error)));
    socket.on("close", () => resolve(readAnswer(Buffer.concat(chunks))));
  });
}

function readAnswer(bytes: Buffer): RawAnswer {
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

/** A connection that a test reads and writes, or does not, as it likes. */
export interface RawConnection {
  readonly socket: Socket;
  /** Everything that came so far. */
  received(): string;
  /** Resolves as soon as so many whole answers, or an end of the connection, have come. */
  answers(count: number): Promise<void>;
  /** Resolves with the seconds since it was opened, however it ended. */
  readonly ended: Promise<number>;
}

/** Opens a connection and sends a text over it, as it is. */
export async function openConnection(port: number, text: string | Buffer = ""): Promise<RawConnection> {
  const startedAt = performance.now();
  const socket = connect(port, "localhost");
  let received = "";
  socket.on("data", (chunk) => (received += chunk.toString("latin1")));
  // A reset is an end as well.
  socket.on("error", () => undefined);
  const ended = new Promise<number>((resolve) => {
    socket.on("close", () => resolve((performance.now() - startedAt) / 1_000));
  });
  await new Promise((resolve) => socket.once("connect", resolve).once("close", resolve));
  if (text.length > 0) socket.write(text);
  return {
    socket,
    received: () => received,
    answers: (count) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (received.split("HTTP/1.1 ").length > count) resolve();
        };
        socket.on("data", check).on("close", () => resolve());
        check();
      }),
    ended,
  };
}

/** The text of a request: its line, its headers, and what comes behind them. */
export function requestText(line: string, headers: readonly string[] = [], rest = ""): string {
  return `${[`${line} HTTP/1.1`, "host: localhost", ...headers].join("\r\n")}\r\n\r\n${rest}`;
}
