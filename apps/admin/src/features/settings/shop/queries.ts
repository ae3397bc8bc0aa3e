import { call } from "@keepsats/client";
import {
  expectedVersionHeader,
  MAX_PICTURE_BYTES,
  paths,
  pictureSchema,
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

const MEGABYTE = 1024 * 1024;

export async function uploadLogo(file: File) {
  // The server would close the connection before it could send the reason.
  if (file.size > MAX_PICTURE_BYTES)
    throw new RangeError(`A logo may have at most ${MAX_PICTURE_BYTES / MEGABYTE} MB.`);
  return call({
    path: paths.admin.pictures,
    method: "POST",
    type: "application/octet-stream",
    body: file,
    answer: pictureSchema,
  });
}
