import { execFileSync } from "node:child_process";
import { appendFileSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/* dependency-cruiser reports each forbidden import of a small project with the product's rules. */

const root = join(__dirname, "..");

/** Forbidden imports: the rule, the importing file, and the imports. */
const forbidden: [rule: string, file: string, ...imports: string[]][] = [
  ["no-circles-1", "lib/http/errors.ts", "@/lib/http/pages"],
  ["app-1", "components/site/header.tsx", "../../app/layout"],
  ["app-1", "testing/ledger/model.ts", "@/app/layout"],
  ["tooling-1", "lib/client/api.ts", "@/testing/visit"],
  ["e2e-1", "testing/visit.ts", "@/e2e/retry"],
  ["tooling-1", "app/page.tsx", "@/examples/service/receiver.mjs"],
  ["pure-1", "lib/content/faq.ts", "react", "node:crypto", "fs"],
  ["pure-1", "lib/content/faq.ts", "@/components/ui/button", "@/lib/server/config/env"],
  ["browser-1", "components/flow/step.tsx", "@/lib/server/config/env", "@/middleware"],
  ["browser-2", "lib/client/api.ts", "node:crypto", "fs"],
  ["browser-3", "lib/client/api.ts", "ioredis", "server-only", "@upstash/redis"],
  ["client-1", "lib/client/api.ts", "@/components/ui/button"],
  ["no-framework-1", "components/flow/step.tsx", "next/link"],
  ["islands-1", "app/page.tsx", "@/components/flow/tool"],
  ["islands-1", "components/site/header.tsx", "@/components/flow/tool"],
  ["primitives-1", "components/ui/button.tsx", "@/lib/content/site"],
  ["primitives-2", "components/ui/button.tsx", "@/components/flow/hint"],
  ["server-1", "lib/server/log/log.ts", "@/lib/client/api", "@/components/ui/button"],
  ["server-2", "lib/server/log/log.ts", "react", "swr"],
  ["server-without-next-1", "lib/server/log/log.ts", "next/server"],
  ["no-page-renderer-1", "lib/server/http/api-route.ts", "next/headers"],
  ["middleware-1", "middleware.ts", "zod", "@/lib/server/config/env"],
  ["declared-1", "e2e/retry.ts", "picocolors"],
  ["examples-1", "examples/service/receiver.mjs", "../../lib/http/pages"],
];

/** Files that only other files import, with their text. */
const imported = {
  "app/layout.tsx": "export {};",
  "app/island.tsx": 'import "@/components/flow/tool";',
  "components/flow/hint.tsx": "export {};",
  "components/flow/tool.tsx": '"use client";',
  "lib/content/site.ts": "export {};",
  "lib/http/pages.ts": 'import "./errors";',
  "lib/server/config/env.ts": 'import "server-only";',
  "lib/server/boot/start.ts": 'import "server-only"; import "@/lib/server/log/log";',
  "lib/server/log/console.ts": 'import "server-only"; import "@/lib/server/boot/start";',
};

it("reports each forbidden import, type imports too", () => {
  const folder = mkdtempSync(join(tmpdir(), "imports-"));
  const add = (file: string, text: string) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    appendFileSync(join(folder, file), `${text}\n`);
  };
  try {
    for (const name of ["package.json", "tsconfig.json", ".dependency-cruiser.mjs"])
      copyFileSync(join(root, name), join(folder, name));
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    for (const [file, text] of Object.entries(imported)) add(file, text);
    for (const [, file, ...imports] of forbidden)
      for (const name of imports)
        add(file, file.endsWith(".mjs") ? `import "${name}";` : `export type { X } from "${name}";`);
    const expected = forbidden.flatMap(([rule, file, ...imports]) => imports.map(() => `${file} ${rule}`));
    expected.push("lib/server/log/log.ts server-only", "lib/server/http/api-route.ts server-only");
    for (const name of ["components/ui", "lib/content", "lib/server/boot", "lib/server/log"])
      expected.push(`${name} no-circles-of-folders`);
    expect(cruise(folder).sort()).toEqual(expected.sort());
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** Runs dependency-cruiser. Returns "file rule" for each violation. */
function cruise(folder: string): string[] {
  const bin = join(root, "node_modules/.bin/depcruise");
  const args = ["--preserve-symlinks", "--output-type", "json", "--config", ".dependency-cruiser.mjs"];
  const targets = ["app", "components", "lib", "e2e", "examples", "testing", "middleware.ts"];
  const output = execFileSync(bin, [...args, ...targets], { cwd: folder, encoding: "utf8" });
  const { summary } = JSON.parse(output) as {
    summary: { violations: { from: string; rule: { name: string } }[] };
  };
  return summary.violations.map(({ from, rule }) => `${from} ${rule.name}`);
}
