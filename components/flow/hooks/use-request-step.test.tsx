import { renderHook } from "@testing-library/react";
import { useLikeRequest } from "@/components/flow/hooks/use-like-request";
import { installFakeApi } from "@/testing/jest/fake-api";

it("throws an error and sends nothing without a post link", () => {
  const api = installFakeApi({});
  const { result } = renderHook(() => useLikeRequest());
  expect(() => result.current.send("", { statusFirst: false })).toThrow("No post selected");
  expect(api.calls).toEqual([]);
});
