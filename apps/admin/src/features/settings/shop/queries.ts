import { call } from "@keepsats/client";
import {
  expectedVersionHeader,
  paths,
  type ShopSettingsPatch,
  shopSettingsAnswerSchema,
} from "@keepsats/protocol";
import { queryOptions } from "@tanstack/react-query";

export const shopSettingsQuery = queryOptions({
  queryKey: ["settings"],
  meta: { topics: ["settings"] },
  queryFn: ({ signal }) =>
    call({ path: paths.admin.settings, answer: shopSettingsAnswerSchema, signal }),
});

/** @param version of the settings that the changes are based on */
export function saveShopSettings(changes: ShopSettingsPatch, version: string) {
  return call({
    path: paths.admin.settings,
    method: "PUT",
    headers: { [expectedVersionHeader]: version },
    body: changes,
    answer: shopSettingsAnswerSchema,
  });
}
