import { getInbox } from "@/lib/server/inbox";
import { toAsciiDomain } from "@/lib/schemas/forms";
import { getRedis } from "@/lib/server/redis/client";
import { rewriteAppendOnlyFile } from "@/lib/server/redis/probe";
import { confirmed, fail, parseArguments, print, printCount, runCommand } from "./terminal";

/* npm run inbox: lists, exports and deletes the form messages. */

const usage = `Usage: npm run inbox -- <command>
  list                        all messages, newest first
  show <id>                   one message
  export                      all messages as JSON lines
  delete <id> [--yes]         one message
  delete --email <address> [--yes]
                              all messages of one sender, for a data-rights request`;

const { positionals, values } = parseArguments(usage, {
  allowPositionals: true,
  options: { email: { type: "string" }, yes: { type: "boolean", default: false } },
});

runCommand(usage, positionals, { list, show, export: exportAll, delete: remove });

async function list(): Promise<number> {
  const messages = await getInbox().list();
  for (const { id, form, receivedAt, fields } of messages) {
    const text = String(fields.subject ?? fields.description ?? fields.message ?? "");
    const title = Array.from(text.replace(/\s+/g, " ")).slice(0, 60).join("");
    print(`${id}  ${receivedAt.slice(0, 16)}  ${form.padEnd(8)}  ${String(fields.email)}  ${title}`);
  }
  printCount(messages.length, "message");
  return 0;
}

async function show(id?: string): Promise<number> {
  if (!id) return fail(usage);
  const message = await getInbox().find(id);
  if (!message) return fail(`There is no message ${id}.`);
  print(`${message.form}, received ${message.receivedAt}`);
  for (const [name, value] of Object.entries(message.fields))
    // A line of the visitor must not look like another field.
    print(`${name}: ${String(value).replaceAll("\n", "\n  ")}`);
  return 0;
}

async function exportAll(): Promise<number> {
  for (const message of await getInbox().list()) print(JSON.stringify(message));
  return 0;
}

async function remove(id?: string): Promise<number> {
  const address = values.email && toAsciiDomain(values.email.trim()).toLowerCase();
  const messages = (id || address ? await getInbox().list() : []).filter((message) =>
    id ? message.id === id : String(message.fields.email).toLowerCase() === address,
  );
  if (messages.length === 0) return fail("There is no such message.");
  if (!(await confirmed(`Delete ${messages.length} for good?`, values.yes)))
    return fail("Nothing was deleted.");
  for (const { id } of messages) await getInbox().remove(id);
  print(`Deleted ${messages.length}.`);
  if (!(await rewriteAppendOnlyFile(getRedis())))
    print("It may still be on the disk of Redis: run BGREWRITEAOF there; at Upstash, delete backups.");
  return 0;
}
