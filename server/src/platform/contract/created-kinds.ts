/** Kinds of objects that apps create on a profile and that end with the app's authorization. */
export const createdKinds = [
  'export_destination',
  'tracking_domain',
  'tracking_key',
  'webhook',
  'customer_list',
  'connection',
  'alert',
] as const
export type CreatedKind = (typeof createdKinds)[number]
