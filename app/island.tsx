import type { ComponentType } from "react";
import { HomeTool } from "@/components/flow/home/home-tool";
import { GetLikes } from "@/components/flow/screens/get-likes";
import { Preview } from "@/components/flow/screens/preview";
import { StartOverNotice } from "@/components/flow/parts/start-over-notice";
import { Verification } from "@/components/flow/screens/verification";
import { Success } from "@/components/flow/success/success";
import { MessageForm } from "@/components/forms/message-form";
import { getSiteSettings } from "@/lib/server/config/env";

/** The components that run in the browser. A script in components/islands must pass each to `hydrateIsland`. */
const islands = {
  "home/tool": HomeTool,
  "flow/verification": Verification,
  "flow/get-likes": GetLikes,
  "flow/preview": Preview,
  "flow/success": Success,
  "flow/start-over": StartOverNotice,
  "forms/message": MessageForm,
};

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
type JsonProps<Part> =
  Part extends ComponentType<infer Props> ? Props & { [Key in keyof Props]: Json | undefined } : never;

export type IslandName = keyof typeof islands;

export interface IslandProps<Name extends IslandName> {
  /** For example, components/islands/flow.ts hydrates the island "flow/preview". */
  name: Name;
  /** Props of the component. The page's HTML contains them as JSON, so they must not be secret. */
  props: JsonProps<(typeof islands)[Name]>;
}

/** Renders a component's HTML, and the scripts that hydrate it (docs/decisions/0012-islands.md). */
export function Island<Name extends IslandName>({ name, props }: IslandProps<Name>) {
  const Part = islands[name] as ComponentType<object>;
  return (
    <>
      {scriptsOf(name).map((path) => (
        // eslint-disable-next-line @next/next/no-sync-scripts -- browsers defer module scripts
        <script key={path} type="module" src={path} fetchPriority="low" />
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
