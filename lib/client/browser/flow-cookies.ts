import { flowCookieName } from "@/lib/config/limits";
import { attempt } from "./interfaces";

const pattern = new RegExp(`(?:__Host-)?${flowCookieName}-\\d{13}(?==)`, "g");

/** Returns the names of the first cookies of all flows. Scripts cannot read the other cookies of a flow. */
export function findFlows(): string[] {
  return attempt(() => document.cookie.match(pattern)) ?? [];
}

/** Deletes the cookies with these names, which ends their flows. */
export function deleteFlows(names: readonly string[]): void {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  for (const name of names) document.cookie = `${name}=; Path=/; Max-Age=0${secure}`;
}
