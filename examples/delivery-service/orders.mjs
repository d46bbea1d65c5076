// @ts-check
import { parseArgs } from "node:util";
import { openOrders } from "./order-store.mjs";
import { ordersFile } from "./settings.mjs";

/* Command line tool: lists, exports and closes orders. The server may run at the same time. */

const usage = `Usage: node orders.mjs [command]
  list                         prints the open orders, oldest first (default)
  export                       prints all orders, one line of JSON each
  done <id> [--note <text>]    marks an order as done
  refuse <id> [--note <text>]  marks an order as refused; the site has already shown success to its visitor`;

const orders = openOrders(ordersFile(process.env));
try {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { note: { type: "string" } },
  });
  process.exitCode = run(positionals, values.note);
} catch (error) {
  process.exitCode = fail(`${error instanceof Error ? error.message : error}\n\n${usage}`);
}
orders.end();

/**
 * Runs the command and returns the exit status of the process.
 *
 * @param {string[]} args
 * @param {string} [note]
 */
function run([command = "list", id], note) {
  switch (command) {
    case "list":
      return list();
    case "export":
      for (const order of orders.listAll()) print(JSON.stringify(order));
      return 0;
    case "done":
      return id ? close(id, "done", note) : fail(usage);
    case "refuse":
      return id ? close(id, "refused", note) : fail(usage);
    default:
      return fail(usage);
  }
}

function list() {
  const open = orders.listOpen();
  for (const { id, receivedAt, likes, postType, postUrl } of open) {
    const minute = receivedAt.slice(0, 16).replace("T", " ");
    print(`${id}  ${minute} GMT  ${likes} likes for the ${postType} ${postUrl}`);
  }
  print(`${open.length} open`);
  return 0;
}

/**
 * @param {string} id
 * @param {"done" | "refused"} state
 * @param {string} [note]
 */
function close(id, state, note) {
  if (!orders.close(id, state, note ?? null, new Date())) return fail(`No open order has the id ${id}.`);
  print(`${id} is ${state}.`);
  return 0;
}

/** @param {string} line */
function print(line) {
  process.stdout.write(`${line}\n`);
}

/** @param {string} message */
function fail(message) {
  process.stderr.write(`${message}\n`);
  return 1;
}
