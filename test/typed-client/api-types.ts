import openapiTS, { astToString } from "openapi-typescript";

/** The TypeScript types of an OpenAPI document, as clients generate them. */
export async function apiTypes(document: string): Promise<string> {
  return astToString(await openapiTS(document));
}
