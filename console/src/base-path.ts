/** The service's BASE_PATH, from a meta tag of its page; empty at the root of a host. */
export const basePath =
  globalThis.document?.querySelector<HTMLMetaElement>('meta[name="base-path"]')?.content ?? ''
