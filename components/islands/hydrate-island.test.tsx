import { act, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { hydrateIsland } from "@/components/islands/hydrate-island";
import { errorTexts } from "@/components/site/error-screen";

afterEach(() => document.body.replaceChildren());

function Counter({ from }: { from: number }) {
  const [count, setCount] = useState(from);
  return <button onClick={() => setCount(count + 1)}>{count}</button>;
}

function write(props: object, html: string): void {
  const main = document.createElement("main");
  const island = Object.assign(document.createElement("div"), { innerHTML: html });
  island.dataset.island = "tests/counter";
  island.dataset.props = JSON.stringify(props);
  main.append("Words", island);
  document.body.replaceChildren(main);
}

it("makes what the server wrote live, with its props, and leaves the rest", async () => {
  write({ from: 7 }, "<button>7</button>");
  const written = screen.getByRole("button");
  await act(async () => hydrateIsland("tests/counter", Counter));
  await userEvent.click(written);
  expect(written).toHaveTextContent("8");
  expect(document.body).toHaveTextContent("Words8");
  expect(performance.getEntriesByName("island tests/counter")).toHaveLength(1);
});

it("leaves a page alone that has other islands", async () => {
  write({ from: 7 }, "<button>7</button>");
  await act(async () => hydrateIsland("tests/other", Counter));
  await userEvent.click(screen.getByRole("button"));
  expect(screen.getByRole("button")).toHaveTextContent("7");
});

it("shows the page for failures where it fails while it is drawn, and says so to whoever watches", async () => {
  const reported = jest.fn();
  Object.assign(globalThis, { reportError: reported });
  const failure = new Error("broken");
  write({}, "");
  function Broken(): never {
    throw failure;
  }
  // Not within act(), which would take the failure for the test's own.
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false });
  hydrateIsland("tests/counter", Broken);
  expect(await screen.findByRole("heading", { level: 1 })).toHaveTextContent(errorTexts(500).title);
  expect(document.body).not.toHaveTextContent("Words");
  expect(reported).toHaveBeenCalledWith(failure);
});
