import type { ComponentType } from "react";

export type IslandProps<Props extends object> = {
  /** Client component to hydrate. An entry script in this folder passes it to `hydrateIsland`. */
  component: ComponentType<Props>;
  /** Island name, "<entry script>/<component>", for example "flow/preview". */
  name: string;
  /** Props of the component. The page's HTML contains them as JSON, so they must not be secret. */
  props: Props;
};

/** Renders a component that its own script hydrates in built pages (docs/decisions/0020-islands.md). */
export function Island<Props extends object>({ component: Part, name, props }: IslandProps<Props>) {
  return (
    <div data-island={name} data-props={JSON.stringify(props)} className="contents">
      <Part {...props} />
    </div>
  );
}
