/** @jest-environment-options {"url": "https://example.com/"} */
import { endFlows, findFlows } from "./flow";

test("a flow ends on https, where browsers delete its cookie only by a secure one", () => {
  document.cookie = "__Host-flow-1234567890123=a; Path=/; Secure";
  sessionStorage.setItem("flow.post", "{}");
  endFlows(findFlows());
  expect(document.cookie).toBe("");
});
