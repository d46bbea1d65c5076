import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { orderMessageSchema, type OrderMessage } from "../lib/schemas/order";

/* npm run order-schema: writes docs/order.schema.json. documents.test.ts checks that the file is current. */

const example: OrderMessage = {
  type: "likes.requested",
  timestamp: "2025-11-21T00:00:00.000Z",
  data: {
    orderId: "7K3M-0Q2X-9ZTB",
    postId: "Cxyz123abc_",
    postType: "post",
    postUrl: "https://www.instagram.com/p/Cxyz123abc_/",
    likes: 50,
  },
};

/** The JSON Schema of an order, with an example. It allows fields that later versions may add. */
export const orderSchema = { ...z.toJSONSchema(orderMessageSchema, { io: "input" }), examples: [example] };

export const orderSchemaPath = "docs/order.schema.json";

if (process.argv[1]?.endsWith("order-schema.ts"))
  writeFileSync(join(__dirname, "..", orderSchemaPath), `${JSON.stringify(orderSchema, null, 2)}\n`);
