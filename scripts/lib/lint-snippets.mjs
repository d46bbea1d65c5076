/*
 * Lints snippets under invented file names. A line of standard input is a JSON list of { file, code }; the line of
 * standard output that answers it is the list of the ids of the rules that each breaks. A process of its own, because
 * ESLint loads its configuration with import(), which Jest's sandbox does not offer.
 */
import { createInterface } from "node:readline";
import { ESLint } from "eslint";

const eslint = new ESLint();
for await (const line of createInterface({ input: process.stdin })) {
  const broken = [];
  for (const { file, code } of JSON.parse(line)) {
    const [result] = await eslint.lintText(code, { filePath: file });
    broken.push(result.messages.map(({ ruleId, message }) => ruleId ?? message));
  }
  console.log(JSON.stringify(broken));
}
