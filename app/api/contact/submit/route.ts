import { contactBody } from "@/lib/schemas/forms";
import { formRoute } from "@/lib/server/inbox/form-route";

export const POST = formRoute("contact", contactBody, "We'll get back to you as soon as possible.");
