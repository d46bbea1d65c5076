import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/* dependency-cruiser reports each forbidden import of a small project with the product's rules. */

const root = join(__dirname, "..");

/** Forbidden imports: the rule, the importing file, and the imports. */
const forbidden: [rule: string, file: string, ...imports: string[]][] = [
  ["no-circles-1", "lib/http/errors.ts", "@/lib/http/pages"],
  ["app-1", "components/site/header.tsx", "../../app/layout"],
  ["app-1", "e2e/support/ports.ts", "@/app/layout"],
  ["tooling-1", "lib/client/api.ts", "@/e2e/support/ports"],
  ["tooling-1", "app/page.tsx", "@/examples/service/receiver.mjs"],
  [
    "pure-1",
    "lib/content/faq.ts",
    "react",
    "node:crypto",
    "fs",
    "@/components/ui/button",
    "@/lib/server/config/env",
  ],
  ["browser-1", "components/flow/step.tsx", "@/lib/server/config/env", "@/middleware"],
  ["browser-2", "lib/client/api.ts", "node:crypto", "fs"],
  ["browser-3", "lib/client/api.ts", "ioredis", "server-only", "@upstash/redis"],
  ["client-1", "lib/client/api.ts", "@/components/ui/button"],
  ["no-framework-1", "components/flow/step.tsx", "next/link"],
  ["primitives-1", "components/ui/button.tsx", "@/lib/content/site"],
  ["primitives-2", "components/ui/button.tsx", "@/components/flow/hint"],
  ["server-1", "lib/server/ops/log.ts", "@/lib/client/api", "@/components/ui/button"],
  ["server-2", "lib/server/ops/log.ts", "react", "swr"],
  ["server-without-next-1", "lib/server/ops/log.ts", "next/server"],
  ["no-page-renderer-1", "lib/server/http/api-route.ts", "next/headers"],
  ["middleware-1", "middleware.ts", "zod", "@/lib/server/config/env"],
  ["examples-1", "examples/service/receiver.mjs", "../../lib/http/pages"],
];

const allowed: [file: string, ...imports: string[]][] = [
  ["lib/http/pages.ts", "./errors"],
  ["lib/content/site.ts", "zod", "@/lib/http/pages"],
  ["lib/server/config/env.ts", "server-only", "node:crypto", "ioredis", "@/lib/content/site"],
  ["lib/server/ops/log.ts", "server-only"],
  ["lib/server/http/api-route.ts", "server-only", "next/server"],
  ["lib/client/api.ts", "react", "swr", "@/lib/content/site"],
  ["components/flow/hint.tsx", "react", "@/components/ui/icon"],
  ["components/ui/icon.tsx", "react"],
  ["middleware.ts", "next/server", "@/lib/http/pages"],
  ["app/layout.tsx", "@/lib/server/config/env"],
  ["lib/server/unmarked.ts"],
];

interface Violation {
  from: string;
  rule: { name: string };
}

it("reports each forbidden import, type imports too, and no allowed import", () => {
  const folder = mkdtempSync(join(tmpdir(), "imports-"));
  try {
    for (const name of ["package.json", "tsconfig.json", ".dependency-cruiser.mjs"])
      copyFileSync(join(root, name), join(folder, name));
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    const code = new Map<string, string>();
    const add = (file: string, imports: string[], form: (name: string) => string) =>
      code.set(file, (code.get(file) ?? "") + imports.map(form).join(""));
    for (const [file, ...imports] of allowed) add(file, imports, (name) => `import "${name}";\n`);
    for (const [, file, ...imports] of forbidden)
      add(file, imports, (name) =>
        file.endsWith(".mjs") ? `import "${name}";\n` : `export type { X } from "${name}";\n`,
      );
    for (const [file, text] of code) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text || "export {};\n");
    }
    const expected = forbidden.flatMap(([rule, file, ...imports]) => imports.map(() => `${file} ${rule}`));
    expected.push("lib/server/unmarked.ts server-only");
    expect(cruise(folder).sort()).toEqual(expected.sort());
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** Runs dependency-cruiser. Returns "file rule" for each violation. */
function cruise(folder: string): string[] {
  const bin = join(root, "node_modules/.bin/depcruise");
  const args = ["--preserve-symlinks", "--output-type", "json", "--config", ".dependency-cruiser.mjs"];
  const targets = ["app", "components", "lib", "e2e", "examples", "middleware.ts"];
  const output = execFileSync(bin, [...args, ...targets], { cwd: folder, encoding: "utf8" });
  const { summary } = JSON.parse(output) as { summary: { violations: Violation[] } };
  return summary.violations.map(({ from, rule }) => `${from} ${rule.name}`);
}
