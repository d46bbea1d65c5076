import { feedbackBody } from "@/lib/schemas/forms";
import { formRoute } from "@/lib/server/inbox/form-route";

export const POST = formRoute("feedback", feedbackBody, "Thank you for helping us improve our service.");
