import type { ComponentType } from "react";

export type IslandProps<Props extends object> = {
  /** A client component; the file of its entry beside this one has the same name as its own. */
  part: ComponentType<Props>;
  /** The name of that file. */
  name: string;
  /** What the part gets. It stands in the page, so it is plain data and nobody's secret. */
  props: Props;
};

/**
 * A part of a built page that runs in the browser. The server writes it with the page; the script of the same name in this
 * folder takes it over, and nothing else of the page. scripts/finish-build.ts puts that script in place of the framework's.
 */
export function Island<Props extends object>({ part: Part, name, props }: IslandProps<Props>) {
  return (
    <div data-island={name} data-props={JSON.stringify(props)} className="contents">
      <Part {...props} />
    </div>
  );
}
