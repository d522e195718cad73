import t from "tap";
import { contentDisposition } from "../../../gateway/signature-requests/pdf-answer.ts";

t.test("a download's name is safe in a header and whole for those who read UTF-8", async (t) => {
  const table: [name: string, header: string][] = [
    ["Lease-signed.pdf", `attachment; filename="Lease-signed.pdf"; filename*=UTF-8''Lease-signed.pdf`],
    [`a"b\\c.pdf`, `attachment; filename="a_b_c.pdf"; filename*=UTF-8''a%22b%5Cc.pdf`],
    ["契約 (1).pdf", `attachment; filename="__ (1).pdf"; filename*=UTF-8''%E5%A5%91%E7%B4%84%20%281%29.pdf`],
    [
      "a\r\nSet-Cookie: x.pdf",
      `attachment; filename="a__Set-Cookie: x.pdf"; filename*=UTF-8''a%0D%0ASet-Cookie%3A%20x.pdf`,
    ],
  ];
  for (const [name, header] of table) t.equal(contentDisposition("attachment", name), header);
});
