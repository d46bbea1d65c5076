import { readFileSync } from "node:fs";

/** A command that a document prints, with the output that follows it there. */
export interface PrintedCommand {
  command: string;
  output: string;
}

/** The languages of code blocks. Blocks of the other languages contain no commands. */
const languages = ["sh", "console", "ini", "json", "markdown", "nginx", "text"];
const inline =
  /^(?:[A-Z_]+=\S+ )?(?:apt-get|certbot|chmod|cp|curl|df|docker|du|echo|git|journalctl|node|npm|openssl|redis-cli|systemctl|vercel)\s/;

/**
 * Returns the commands of a document in their order: each line of a block "sh", each line after "$ " of a block "console", and
 * inline code that begins with the name of a program. Throws if a block has no known language.
 */
export function printedCommands(path: string): PrintedCommand[] {
  const text = readFileSync(path, "utf8");
  const found = text.matchAll(/^( *)```(.*)\n([^]*?)^\1```$|`([^`]+)`/gm);
  return Array.from(found).flatMap(([, , language, block = "", code = ""]) => {
    if (language === undefined)
      return inline.test(code) ? [{ command: code.replace(/\s+/g, " "), output: "" }] : [];
    if (!languages.includes(language))
      throw new Error(`${path}: a code block has the unknown language "${language}":\n${block}`);
    const lines = block.replace(/^ +/gm, "");
    if (language === "sh") return matches(lines, /^([^#\n].*)$/gm);
    return language === "console" ? matches(lines, /^\$ (.*)((?:\n(?!\$ ).*)*)/gm) : [];
  });
}

function matches(text: string, pattern: RegExp): PrintedCommand[] {
  return Array.from(text.matchAll(pattern), ([, command = "", output = ""]) => ({
    command,
    output: output.trim(),
  }));
}

/** Returns the text of the first block of a language that contains a word. */
export function printedSettings(path: string, word: string, language = "ini"): string {
  const blocks = readFileSync(path, "utf8").matchAll(
    new RegExp(`^ *\`\`\`${language}\\n([^]*?)^ *\`\`\`$`, "gm"),
  );
  const found = Array.from(blocks, ([, block = ""]) => block).find((block) => block.includes(word));
  if (!found) throw new Error(`${path} prints no settings with ${word}.`);
  return found.replace(/^ +/gm, "");
}
