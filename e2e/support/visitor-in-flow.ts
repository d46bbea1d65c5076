import type { InstagramPost } from "@/lib/flow/instagram-link";
import { createFlow, sealFlow, type Flow } from "@/lib/server/cookies/flow-cookie";
import { sessionSecret } from "./servers/app-server";
import { postCode } from "./sample-posts";
import { Visitor } from "./visitor";

/** Returns a visitor at step 3, without solving a captcha. `changes` are other values of the flow. */
export async function newVisitorInFlow(
  url: string,
  post: InstagramPost = { postId: postCode, type: "post" },
  changes: Partial<Flow> = {},
): Promise<Visitor> {
  const visitor = new Visitor(url);
  visitor.cookies.set("flow", await sealFlow({ ...createFlow(post), post, ...changes }, [sessionSecret]));
  return visitor;
}
