import { renderHook } from "@testing-library/react";
import { useRequestStep } from "@/components/flow/hooks/use-request-step";
import { installFakeApi } from "@/testing/jest/fake-api";

it("throws an error and sends nothing without a post", async () => {
  const api = installFakeApi({
    "GET /api/instagram/post-details": "silent",
    "GET /api/instagram/daily-usage": "silent",
  });
  const { result } = renderHook(() => useRequestStep(String, { statusFirst: false }));
  await expect(result.current.send()).rejects.toThrow("No post selected");
  expect(api.callsOf("POST /api/instagram/like")).toEqual([]);
});
