import type { ComponentType } from "react";
import { getSiteSettings } from "@/lib/server/config/env";

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

export type IslandProps<Props extends object> = {
  /** Client component to hydrate. A script in components/islands must pass it to `hydrateIsland`. */
  component: ComponentType<Props>;
  /** Name of the island. For example, components/islands/flow.ts hydrates the island "flow/preview". */
  name: `${string}/${string}`;
  /** Props of the component. The page's HTML contains them as JSON, so they must not be secret. */
  props: Props & { [Name in keyof Props]: Json | undefined };
};

/** Renders a component's HTML, and the scripts that hydrate it (docs/decisions/0012-islands.md). */
export function Island<Props extends object>({ component: Part, name, props }: IslandProps<Props>) {
  return (
    <>
      {scriptsOf(name).map((path) => (
        // eslint-disable-next-line @next/next/no-sync-scripts -- browsers defer module scripts
        <script key={path} type="module" src={path} />
      ))}
      <div data-island={name} data-props={JSON.stringify(props)} className="contents">
        <Part {...props} />
      </div>
    </>
  );
}

/** Returns the scripts of an island. Returns none in development, because Next.js then hydrates the page. */
function scriptsOf(name: string): readonly string[] {
  const { scripts: siteScripts, isDevelopment } = getSiteSettings();
  if (isDevelopment) return [];
  const scripts = siteScripts.islands?.[name.split("/")[0] ?? ""];
  if (!scripts) throw new Error(`components/islands has no script for the island ${name}`);
  return scripts;
}
