const box = { page: 1, x: 72, y: 640, width: 180, height: 48 };

export const viewExample = {
  title: "Lease of 12 Elm Street",
  message: "Please sign before Friday.",
  status: "pending",
  expires_at: "2026-11-28T08:00:00.000Z",
  signer: { name: "Ada Lovelace", email: "ada@example.com", order: 1, status: "pending", signed_at: null },
  can_sign: true,
  pages: [{ page: 1, width: 595.28, height: 841.89 }],
  fields: [{ id: "field_1", type: "signature", label: null, required: true, ...box }],
};

export const completeExample = {
  consent: true,
  fields: [{ id: "field_2", value: "12 Elm Street" }],
  signature: { type: "typed", text: "Ada Lovelace" },
};
