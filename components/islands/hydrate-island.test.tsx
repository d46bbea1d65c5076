import { act, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { hydrateIsland } from "@/components/islands/hydrate-island";
import { errorPages } from "@/lib/content/site";

afterEach(() => document.body.replaceChildren());

function Counter({ from }: { from: number }) {
  const [count, setCount] = useState(from);
  return <button onClick={() => setCount(count + 1)}>{count}</button>;
}

function renderServerHtml(props: object, html: string): void {
  const main = document.createElement("main");
  const island = Object.assign(document.createElement("div"), { innerHTML: html });
  island.dataset.island = "tests/counter";
  island.dataset.props = JSON.stringify(props);
  main.append("Text", island);
  document.body.replaceChildren(main);
}

it("hydrates the server's HTML of the named island with its props, and keeps the rest of the page", async () => {
  renderServerHtml({ from: 7 }, "<button>7</button>");
  const button = screen.getByRole("button");
  await act(async () => hydrateIsland("tests/other", Counter));
  await userEvent.click(button);
  expect(button).toHaveTextContent("7");
  await act(async () => hydrateIsland("tests/counter", Counter));
  await userEvent.click(button);
  expect(button).toHaveTextContent("8");
  expect(document.body).toHaveTextContent("Text8");
});

it("shows the error page and reports the error when a component fails to render", async () => {
  const reported = jest.fn();
  Object.assign(globalThis, { reportError: reported });
  const failure = new Error("broken");
  renderServerHtml({}, "");
  function Broken(): never {
    throw failure;
  }
  // Hydrates without act(), because act() would throw the rendering error inside the test.
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false });
  hydrateIsland("tests/counter", Broken);
  expect(await screen.findByRole("heading", { level: 1 })).toHaveTextContent(errorPages.failure.title);
  expect(document.body).not.toHaveTextContent("Text");
  expect(reported).toHaveBeenCalledWith(failure);
});
