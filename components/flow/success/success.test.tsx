import { act, fireEvent, render, screen } from "@testing-library/react";
import { unload } from "swr";
import { liveTexts, receipt } from "@/testing/jest/flow-data";
import { Success } from "@/components/flow/success/success";
import { installFakeApi } from "@/testing/jest/fake-api";
import { startOverHead } from "@/lib/content/start-over";

const path = "GET /api/instagram/receipt";
const loaded = { body: { success: true, order: { ...receipt, type: "reel" } } };

beforeEach(() => unload({ revalidate: false }));

it("shows the receipt, and offers to reload a receipt that fails to load", async () => {
  const api = installFakeApi({ [path]: { status: 503, body: { success: false, message: "Not now." } } });
  render(<Success texts={liveTexts} />);
  expect(await screen.findByRole("alert")).toHaveTextContent("Not now.");
  api.routes[path] = loaded;
  fireEvent.click(screen.getByRole("button", { name: "Reload" }));
  expect(await screen.findByText(receipt.reference)).toBeVisible();
  expect(screen.getByRole("link", { name: "Open your reel" })).toBeVisible();
});

it("shows the start-over notice when the browser restores the page after the end of the flow", async () => {
  const api = installFakeApi({ [path]: loaded });
  render(<Success texts={liveTexts} />);
  await screen.findByText(receipt.reference);
  api.routes[path] = { body: { success: true, order: null } };
  await act(async () => {
    window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
  });
  expect(await screen.findByRole("heading", { name: startOverHead.title })).toBeVisible();
  expect(screen.queryByText(receipt.reference)).toBeNull();
});
