import type { Route } from "../route.ts";
import { schemaOf } from "./schema-of.ts";

/** What a call may send: JSON; where it holds files, also a form, and for one file the file itself. Null without a body. */
export function requestBodyOf({
  body,
  files = [],
  rawTypes = ["application/pdf"],
  bodyExample,
}: Route): object | null {
  if (body === undefined) return null;
  const schema = schemaOf(body, "input");
  const example = bodyExample === undefined ? {} : { example: bodyExample };
  const content: Record<string, object> = { "application/json": { schema, ...example } };
  if (files.length > 0) content["multipart/form-data"] = { schema: formSchema(schema, files) };
  if (files.length > 0 && files.every((pattern) => !pattern.includes("[]")))
    for (const type of rawTypes)
      content[type] = { schema: { description: "The file; its fields in the query." } };
  return { required: true, content };
}

/** The same fields, but files come as parts with a file name. */
function formSchema(schema: Record<string, unknown>, files: readonly string[]): object {
  const [first = ""] = files;
  const many = first.includes("[].");
  const place = many ? first.slice(0, first.indexOf("[]")) : first;
  const { [place]: _, ...others } = (schema.properties ?? {}) as Record<string, unknown>;
  const file = { type: "string", contentMediaType: "application/octet-stream" };
  return {
    type: "object",
    description: "Fields that are objects or lists are sent as JSON.",
    properties: { ...(many ? { files: { type: "array", items: file } } : { file }), ...others },
  };
}
