/*
 * Lints snippets under invented file names: reads [{ file, code }] as JSON from stdin, writes the ids of the rules
 * that each breaks as JSON to stdout. A process of its own, because ESLint loads its configuration with import(),
 * which Jest's sandbox does not offer.
 */
import { text } from "node:stream/consumers";
import { ESLint } from "eslint";

const eslint = new ESLint();
const snippets = JSON.parse(await text(process.stdin));
const broken = [];
for (const { file, code } of snippets) {
  const [result] = await eslint.lintText(code, { filePath: file });
  broken.push(result.messages.map(({ ruleId, message }) => ruleId ?? message));
}
process.stdout.write(JSON.stringify(broken));
