import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, parse } from "node:path";
import { root } from "@/scripts/lib/processes.mjs";

/* A minimal Next.js app with the packages of this project. The benchmark compares the product with this app. */

const systemRoot = parse(root).root;

const sources: Record<string, string> = {
  "package.json": '{ "private": true }\n',
  // Turbopack reads only files in its root, and node_modules is a symbolic link.
  "next.config.mjs": `export default ${JSON.stringify({
    output: "standalone",
    turbopack: { root: systemRoot },
    outputFileTracingRoot: systemRoot,
  })};\n`,
  "app/layout.jsx":
    'export default function Layout({ children }) { return <html lang="en"><body>{children}</body></html>; }\n',
  "app/page.jsx": page("Blank."),
  "app/guarded/page.jsx": page("Guarded."),
  // The guard only decrypts the cookie, in the same runtime as the product's guard.
  "middleware.js": `
    import { unsealData } from "iron-session";
    import { NextResponse } from "next/server";
    export async function middleware(request) {
      const secret = process.env.SESSION_SECRET;
      const flow = await unsealData(request.cookies.get("flow")?.value ?? "", { password: secret });
      return flow.id ? NextResponse.next() : new NextResponse("The cookie is invalid.", { status: 500 });
    }
    export const config = { runtime: "nodejs", matcher: ["/guarded"] };`,
  "app/api/blank/route.js": `
    export const dynamic = "force-dynamic";
    export const GET = () => Response.json({ success: true });
    export const POST = async (request) => Response.json({ success: true, body: await request.json() });`,
};

/** Writes the app into an empty folder outside of this project, and makes its production build. */
export function buildBlankApp(folder: string): void {
  for (const [path, content] of Object.entries(sources)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "dir");
  const { PATH, HOME } = process.env;
  execFileSync(process.execPath, ["node_modules/next/dist/bin/next", "build"], {
    cwd: folder,
    env: { PATH, HOME, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
    stdio: ["ignore", "inherit", "inherit"],
  });
}

function page(text: string): string {
  return `export default function Page() { return <p>${text}</p>; }`;
}
