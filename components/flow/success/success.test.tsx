import { act, fireEvent, render, screen } from "@testing-library/react";
import { unload } from "swr";
import { liveTexts, receipt } from "@/testing/jest/flow-data";
import { Success } from "@/components/flow/success/success";
import { installFakeApi } from "@/testing/jest/fake-api";
import { startOverHead } from "@/lib/content/start-over";

const path = "GET /api/instagram/receipt";
const loaded = { body: { success: true, order: { ...receipt, type: "reel" } } };
const otherFlow = { body: { success: true, order: null } };

beforeEach(() => unload({ revalidate: false }));

async function restorePage() {
  await act(async () => {
    window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
  });
}

it("shows the receipt, and offers to reload a receipt that fails to load", async () => {
  const api = installFakeApi({ [path]: { status: 503, body: { success: false, message: "Not now." } } });
  render(<Success texts={liveTexts} />);
  expect(await screen.findByRole("alert")).toHaveTextContent("Your request was accepted");
  expect(screen.getByRole("alert")).toHaveTextContent("Not now.");
  api.routes[path] = loaded;
  fireEvent.click(screen.getByRole("button", { name: "Reload" }));
  expect(await screen.findByText(receipt.reference)).toBeVisible();
  expect(screen.getByText("50 requested and accepted")).toBeVisible();
  expect(screen.getByRole("link", { name: "Open your reel" })).toBeVisible();
  expect(document.querySelector("[data-dots]")).toHaveAttribute("data-dots", "accepted");
  expect(screen.getByRole("link", { name: "Go to Home" })).toHaveAttribute("href", "/");
});

it("shows the start-over notice when the browser restores the page after the end of the flow", async () => {
  const api = installFakeApi({ [path]: loaded });
  render(<Success texts={liveTexts} />);
  await screen.findByText(receipt.reference);
  api.routes[path] = otherFlow;
  await restorePage();
  expect(await screen.findByRole("heading", { name: startOverHead.title })).toBeVisible();
  expect(screen.queryByText(receipt.reference)).toBeNull();
});
