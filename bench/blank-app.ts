import { execFile } from "node:child_process";
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, parse, relative } from "node:path";
import { promisify } from "node:util";

/*
 * A Next.js app with nothing in it, on this project's own packages: the framework's floor, which the product is compared
 * with.
 */

const root = join(__dirname, "..");
const systemRoot = parse(root).root;

const sources: Record<string, string> = {
  "package.json": '{ "private": true }\n',
  // The packages lie behind a link, and Turbopack reads nothing outside of its root.
  "next.config.mjs": `export default ${JSON.stringify({
    output: "standalone",
    turbopack: { root: systemRoot },
    outputFileTracingRoot: systemRoot,
  })};\n`,
  "app/layout.jsx":
    'export default function Layout({ children }) { return <html lang="en"><body>{children}</body></html>; }\n',
  "app/page.jsx": "export default function Page() { return <p>Blank.</p>; }\n",
};

/**
 * Writes the app into a folder, which may be anywhere outside of this project.
 *
 * @param more further files, or others in place of these: path in the app -> content
 */
export function createBlankApp(folder: string, more: Record<string, string> = {}): void {
  for (const [path, content] of Object.entries({ ...sources, ...more })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "dir");
}

/** The folder of the built app's standalone output, which repeats the path of the app's folder. */
export function standaloneFolder(folder: string): string {
  return join(folder, ".next", "standalone", relative(systemRoot, realpathSync(folder)));
}

/** Makes its production build; throws with what the build wrote when it fails. */
export async function buildBlankApp(folder: string): Promise<void> {
  const { PATH, HOME } = process.env;
  await promisify(execFile)(process.execPath, ["node_modules/next/dist/bin/next", "build"], {
    cwd: folder,
    env: { PATH, HOME, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
  }).catch(({ stdout, stderr }: { stdout?: string; stderr?: string }) => {
    throw new Error(`The blank app was not built. It wrote:\n${stdout}${stderr}`);
  });
}
