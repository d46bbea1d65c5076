/*
 * One instance of a function, as the host starts it: in the function's own folder, with its launcher, and nothing else
 * of the checkout. `node instance.mjs FOLDER` tells its port by message.
 */
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Readable } from "node:stream";

const require = createRequire(import.meta.url);
const folder = process.argv[2];
const { handler, useWebApi } = require(join(folder, ".vc-config.json"));
// The host ends what runs on behind an answer.
globalThis[Symbol.for("@vercel/request-context")] = { get: () => ({ waitUntil: () => undefined }) };
const launched = require(join(folder, handler));

const server = createServer((request, response) => {
  const answered = useWebApi ? answerByWebApi(request, response) : launched(request, response);
  Promise.resolve(answered).catch((error) => {
    process.stderr.write(`${error?.stack ?? error}\n`);
    if (!response.headersSent) response.writeHead(500);
    response.end();
  });
});
server.listen(0, "127.0.0.1", () => process.send({ port: server.address().port }));

/** A launcher of this kind takes and gives what `fetch` does. */
async function answerByWebApi(request, response) {
  const url = `https://${request.headers.host}${request.url}`;
  const hasBody = request.method !== "GET" && request.method !== "HEAD";
  const answer = await launched(
    new Request(url, {
      method: request.method,
      headers: Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      ...(hasBody && { body: Readable.toWeb(request), duplex: "half" }),
    }),
  );
  const headers = [...answer.headers].filter(([name]) => name !== "set-cookie");
  response.writeHead(
    answer.status,
    [...headers, ...answer.headers.getSetCookie().map((line) => ["set-cookie", line])].flat(),
  );
  response.end(Buffer.from(await answer.arrayBuffer()));
}
