import { createHash } from "node:crypto";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { ledgerScripts } from "@/lib/server/likes/ledger-scripts";

/**
 * What happens to a connection at a matching command: the command never reaches Redis, its answer (and every later one)
 * is kept back, its answer is lost with the connection, or all answers from here on come late.
 */
export type Fault = "hold-command" | "hold-answer" | "lose-answer" | { delayMs: number };

export interface Trap {
  matches: (command: readonly string[]) => boolean;
  fault: Fault;
  /** How often it springs; always unless given. */
  times?: number;
}

/** Gives what Redis gets of a command; the command itself when nothing of it changes. */
export type Edit = (command: readonly string[]) => readonly string[];

export interface RedisProxy {
  readonly url: string;
  /** Commands that sprang one of the present traps. */
  readonly sprung: number;
  /** Sets traps in place of those before; of several the first that is not used up springs. Breaks what is held. */
  set(...traps: Trap[]): void;
  /** Changes every command on its way to Redis, from the next on. */
  edit(edit: Edit): void;
  /** Leads connections that are opened from now on to another Redis; those that are open stay where they are. */
  leadTo(port: number): void;
  stop(): Promise<void>;
}

/** True for a verb of the ledger, sent by its hash or as a whole. */
export function isVerb(verb: keyof typeof ledgerScripts): Trap["matches"] {
  const script = ledgerScripts[verb];
  const hash = hashOf(script);
  return ([, first]) => first === hash || first === script;
}

/** Befalls every so manieth command, whatever it is. */
export function everyNth(n: number, fault: Fault): Trap {
  let commands = 0;
  return { matches: () => ++commands % n === 0, fault };
}

function hashOf(script: string): string {
  return createHash("sha1").update(script).digest("hex");
}

/** Moves the clock that the ledger's scripts read; everything else in Redis keeps its own. */
export function moveLedgerClock(offsetMs: number): Edit {
  const question = "local time = redis.call('TIME')";
  const moved = new Map<string, string>();
  for (const script of Object.values(ledgerScripts)) {
    if (!script.includes(question)) throw new Error("the ledger asks for the time in other words");
    const edited = script.replace(
      question,
      `${question}\ntime[1] = time[1] + ${Math.round(offsetMs / 1_000)}`,
    );
    for (const name of [script, hashOf(script)]) moved.set(name, edited);
  }
  return (command) => {
    const script = moved.get(command[1] ?? "");
    return script === undefined ? command : ["eval", script, ...command.slice(2)];
  };
}

/** A TCP proxy in front of Redis that reads the commands, and does at a chosen one what a bad moment does. */
export async function startRedisProxy(redisPort: number): Promise<RedisProxy> {
  const sockets = new Set<Socket>();
  const held = new Set<Socket>();
  let traps: { trap: Trap; left: number }[] = [];
  let sprung = 0;
  let edit: Edit = (command) => command;
  let target = redisPort;

  function spring(client: Socket, command: readonly string[]): Fault | null {
    const set = traps.find(({ trap, left }) => left > 0 && trap.matches(command));
    if (!set) return null;
    set.left -= 1;
    sprung += 1;
    held.add(client);
    return set.trap.fault;
  }

  const server = createServer((client) => {
    const upstream = connect(target, "127.0.0.1");
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.once("close", () => {
        sockets.delete(socket);
        held.delete(client);
        client.destroy();
        upstream.destroy();
      });
    }
    relay(
      client,
      upstream,
      (command) => spring(client, command),
      (command) => edit(command),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get sprung() {
      return sprung;
    },
    set(...next) {
      traps = next.map((trap) => ({ trap, left: trap.times ?? Infinity }));
      sprung = 0;
      for (const client of held) client.destroy();
    },
    edit: (next) => void (edit = next),
    leadTo: (port) => void (target = port),
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function relay(
  client: Socket,
  upstream: Socket,
  spring: (command: readonly string[]) => Fault | null,
  edit: Edit,
): void {
  const read = createCommandReader();
  let fault: Fault | null = null;
  client.on("data", (chunk) => {
    for (const { command, bytes } of read(chunk as Buffer)) {
      fault = spring(command) ?? fault;
      const edited = edit(command);
      if (fault !== "hold-command") upstream.write(edited === command ? bytes : encode(edited));
    }
  });
  upstream.on("data", (chunk) => {
    if (fault === "lose-answer") client.destroy();
    else if (fault === null) client.write(chunk);
    else if (typeof fault === "object") setTimeout(() => client.write(chunk), fault.delayMs);
  });
}

/** Cuts a client's stream into whole commands (RESP arrays of bulk strings), each with its own bytes. */
function createCommandReader(): (chunk: Buffer) => { command: string[]; bytes: Buffer }[] {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    const commands = [];
    for (let next = readCommand(rest); next; next = readCommand(rest)) {
      commands.push({ command: next.command, bytes: rest.subarray(0, next.end) });
      rest = rest.subarray(next.end);
    }
    return commands;
  };
}

function readCommand(bytes: Buffer): { command: string[]; end: number } | null {
  const head = readLine(bytes, 0);
  if (!head) return null;
  const command: string[] = [];
  let at = head.end;
  for (let left = Number(head.text.slice(1)); left > 0; left -= 1) {
    const size = readLine(bytes, at);
    const end = size && size.end + Number(size.text.slice(1));
    if (!size || !end || bytes.length < end + 2) return null;
    command.push(bytes.toString("utf8", size.end, end));
    at = end + 2;
  }
  return { command, end: at };
}

function encode(command: readonly string[]): string {
  const parts = command.map((part) => `$${Buffer.byteLength(part)}\r\n${part}\r\n`);
  return `*${command.length}\r\n${parts.join("")}`;
}

function readLine(bytes: Buffer, from: number): { text: string; end: number } | null {
  const at = bytes.indexOf("\r\n", from);
  return at < 0 ? null : { text: bytes.toString("latin1", from, at), end: at + 2 };
}
