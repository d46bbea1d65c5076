import type { ComponentType } from "react";

export type IslandProps<Props extends object> = {
  /** Client component to hydrate. A script in this folder must pass the same component to `hydrateIsland`. */
  component: ComponentType<Props>;
  /** Name of the island. For example, flow.ts in this folder hydrates the island "flow/preview". */
  name: string;
  /** Props of the component. The page's HTML contains them as JSON, so they must not be secret. */
  props: Props;
};

/** Renders a component's HTML. In built pages, a script hydrates that HTML (docs/decisions/0020-islands.md). */
export function Island<Props extends object>({ component: Part, name, props }: IslandProps<Props>) {
  return (
    <div data-island={name} data-props={JSON.stringify(props)} className="contents">
      <Part {...props} />
    </div>
  );
}
