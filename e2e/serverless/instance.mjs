/*
 * One instance of a function. It runs in the folder of the function, with the function's launcher, and uses no other file of
 * the checkout. `node instance.mjs FOLDER` sends its port to the parent process.
 */
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(import.meta.url);
const folder = process.argv[2];
const { handler, useWebApi } = require(join(folder, ".vc-config.json"));
// The host stops work that continues after the response.
globalThis[Symbol.for("@vercel/request-context")] = { get: () => ({ waitUntil: () => undefined }) };
const launched = require(join(folder, handler));

const server = createServer((request, response) => {
  const responded = useWebApi ? respondByWebApi(request, response) : launched(request, response);
  Promise.resolve(responded).catch((error) => {
    process.stderr.write(`${error?.stack ?? error}\n`);
    if (!response.headersSent) response.writeHead(500);
    response.end();
  });
});
server.listen(0, "127.0.0.1", () => process.send({ port: server.address().port }));

/** Calls the launcher of the middleware, which gets a Request without a body and returns a Response. */
async function respondByWebApi({ method, url, headers }, response) {
  const request = new Request(`https://${headers.host}${url}`, {
    method,
    headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
  });
  const result = await launched(request);
  response.writeHead(result.status, [...result.headers].flat());
  response.end(Buffer.from(await result.arrayBuffer()));
}
