import { Visitor, referenceOf } from "@/testing/visitor";
import { goodInput } from "@/testing/good-input";

/* Run in a test machine: requests likes for a visitor ("order"), or sends a message with the contact form ("message"). */

const visitor = new Visitor("https://likes.example", {
  address: undefined,
  fingerprint: `visitor-${Date.now()}`,
});
const send = {
  order: async () => {
    await visitor.goToStep3();
    return referenceOf(await visitor.like());
  },
  message: async () => {
    const fields = { ...goodInput.contact, token: await visitor.solveCaptcha() };
    const { status } = await visitor.post("/api/contact/submit", fields);
    if (status !== 200) throw new Error(`The form responded ${status}.`);
    return "";
  },
}[process.argv[2] as "order" | "message"];
void send().then((printed) => process.stdout.write(printed));
