import type { ComponentProps } from "react";

/** Renders a link inside a text. */
export function TextLink(props: ComponentProps<"a">) {
  return <a {...props} className="link" />;
}
