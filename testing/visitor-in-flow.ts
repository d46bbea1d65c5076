import { sealData } from "iron-session";
import type { InstagramPost } from "@/lib/flow/instagram-link";
import {
  createFlow,
  firstCookie,
  flowCookie,
  passwordsOf,
  type Flow,
} from "@/lib/server/cookies/flow-cookie";
import { sessionSecret } from "./servers/app-server";
import { postCode } from "./sample-posts";
import { Visitor } from "./visitor";

/** Returns the value of a cookie with this flow. */
export function sealFlow(flow: unknown, secret = sessionSecret): Promise<string> {
  return sealData(flow, { password: passwordsOf([secret]) });
}

/** Gives a visitor the cookies of a new flow at step 3, without solving a captcha. `changes` are other values of the flow. */
export async function giveFlow(
  visitor: Visitor,
  post: InstagramPost = { postId: postCode, type: "post" },
  changes: Partial<Flow> = {},
): Promise<void> {
  const start = createFlow(post);
  const flow = { ...start, post, ...changes };
  for (const stage of [{ ...flow, post: null, receipt: null }, flow])
    visitor.cookies.set(flowCookie(stage), await sealFlow(stage));
  const first = firstCookie(flow);
  visitor.cookies.set(first, "1");
  for (const path of flow.visited) visitor.cookies.set(first + path.replace("/", "-"), "1");
  if (flow.refusal) visitor.cookies.set(`${first}-refusal`, flow.refusal);
}

/** Returns a new visitor with the cookies of `giveFlow`. */
export async function newVisitorInFlow(
  url: string,
  post?: InstagramPost,
  changes?: Partial<Flow>,
): Promise<Visitor> {
  const visitor = new Visitor(url);
  await giveFlow(visitor, post, changes);
  return visitor;
}
