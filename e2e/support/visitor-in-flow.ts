import type { InstagramPost } from "@/lib/flow/instagram-link";
import { createFlow, sealFlow } from "@/lib/server/identity/flow-cookie";
import { sessionSecret } from "./servers/app-server";
import { newAddress, Visitor } from "./visitor";

/** A visitor with his flow at step 3, without the work of the human check. */
export async function newVisitorInFlow(
  url: string,
  post: InstagramPost = { postId: "Cxyz123abc_", type: "post" },
): Promise<Visitor> {
  const visitor = new Visitor(url, { address: newAddress(), fingerprint: "fingerprint" });
  visitor.cookies.set("flow", await sealFlow({ ...createFlow(post), post }, [sessionSecret]));
  return visitor;
}
