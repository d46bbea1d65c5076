import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { getInbox } from "@/lib/server/inbox";
import type { InboxMessage } from "@/lib/server/inbox/inbox";

/* npm run inbox: reads what visitors sent by the forms. */

const usage = `Usage: npm run inbox -- <command>
  list                        all messages, the newest first
  show <id>                   one message
  export                      all messages as JSON lines
  delete <id> [--yes]         one message
  delete --email <address> [--yes]
                              all messages of one sender, for a data-rights request`;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { email: { type: "string" }, yes: { type: "boolean", default: false } },
});

void run(positionals[0] ?? "list", positionals[1]).then((status) => process.exit(status));

/** Runs a command and returns the exit status. */
async function run(command: string, id: string | undefined): Promise<number> {
  switch (command) {
    case "list":
      return list();
    case "show":
      return id ? show(id) : fail(usage);
    case "export":
      for (const message of await getInbox().list()) print(JSON.stringify(message));
      return 0;
    case "delete":
      return remove(await chosen(id));
    default:
      return fail(usage);
  }
}

async function list(): Promise<number> {
  const messages = await getInbox().list();
  for (const { id, form, receivedAt, fields } of messages) {
    print(
      `${id}  ${receivedAt.slice(0, 16)}  ${form.padEnd(8)}  ${String(fields.email)}  ${titleOf(fields)}`,
    );
  }
  print(`${messages.length} ${messages.length === 1 ? "message" : "messages"}`);
  return 0;
}

async function show(id: string): Promise<number> {
  const message = await getInbox().find(id);
  if (!message) return fail(`There is no message ${id}.`);
  print(`${message.form}, received ${message.receivedAt}`);
  for (const [name, value] of Object.entries(message.fields)) print(`${name}: ${oneSafeText(String(value))}`);
  return 0;
}

async function chosen(id: string | undefined): Promise<InboxMessage[]> {
  const address = values.email?.trim().toLowerCase();
  if (!id && !address) return [];
  const messages = await getInbox().list();
  return messages.filter((message) =>
    id ? message.id === id : String(message.fields.email).toLowerCase() === address,
  );
}

async function remove(messages: InboxMessage[]): Promise<number> {
  if (messages.length === 0) return fail("There is no such message.");
  if (!values.yes && !(await confirm(`Delete ${messages.length} for good? (yes/no) `)))
    return fail("Nothing was deleted.");
  for (const { id } of messages) await getInbox().remove(id);
  print(`Deleted ${messages.length}.`);
  return 0;
}

async function confirm(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(question);
  terminal.close();
  return answer.trim() === "yes";
}

function titleOf(fields: InboxMessage["fields"]): string {
  const text = String(fields.subject ?? fields.description ?? fields.message ?? "");
  return oneSafeText(text).replace(/\s+/g, " ").slice(0, 60);
}

/** A visitor's text for the terminal: control characters could move the cursor or change the window. */
function oneSafeText(text: string): string {
  return text.replace(/[^\P{Cc}\n]/gu, "");
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function fail(message: string): number {
  process.stderr.write(`${message}\n`);
  return 1;
}
