import type { InstagramPost } from "@/lib/flow/instagram-link";
import { createFlow, sealFlow, type Flow } from "@/lib/server/identity/flow-cookie";
import { sessionSecret } from "./servers/app-server";
import { newAddress, Visitor } from "./visitor";

/** A visitor with his flow at step 3, without the work of the human check. */
export async function newVisitorInFlow(
  url: string,
  post: InstagramPost = { postId: "Cxyz123abc_", type: "post" },
  changes: Partial<Flow> = {},
): Promise<Visitor> {
  const visitor = new Visitor(url, { address: newAddress(), fingerprint: "fingerprint" });
  visitor.cookies.set("flow", await sealFlow({ ...createFlow(post), post, ...changes }, [sessionSecret]));
  return visitor;
}
