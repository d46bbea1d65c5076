import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { requireProgram } from "@/scripts/lib/programs.mjs";

const secondsPerRound = 1;
const clients = 16;

/**
 * How many answers a second an https address of this machine gives to nghttp2's h2load: a program in Node could not ask
 * fast enough. It asks over connections that stay open, in HTTP/1.1, and takes what a browser takes. The name need not
 * resolve: 127.0.0.1 is asked in its name. Throws at any answer but 200 and the like.
 */
export async function askFast(address: string): Promise<number> {
  const { port } = new URL(address);
  const { stdout } = await promisify(execFile)(requireProgram("h2load"), [
    ...["--h1", "--clients", String(clients), "--connect-to", `127.0.0.1:${port}`],
    // The connections are made in the warm-up.
    ...["--duration", String(secondsPerRound), "--warm-up-time", "200ms"],
    ...["--header", "accept-encoding: br, gzip"],
    address,
  ]);
  const [, perSecond = "NaN"] = /^finished in \S+, ([\d.]+) req\/s/m.exec(stdout) ?? [];
  const isGood = /, 0 failed, 0 errored, 0 timeout$/m.test(stdout) && /, 0 3xx, 0 4xx, 0 5xx$/m.test(stdout);
  if (!isGood || !(Number(perSecond) > 0)) throw new Error(`${address} was not answered well:\n${stdout}`);
  return Number(perSecond);
}
