import { issueBody } from "@/lib/schemas/forms";
import { formRoute } from "@/lib/server/inbox/form-route";

export const POST = formRoute(
  "issue",
  issueBody,
  "Thank you for reporting this issue. Our team will investigate it.",
);
