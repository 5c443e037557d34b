/** Path below which the service is (BASE_PATH), as its page says; empty at the root of a host. */
export const basePath =
  globalThis.document?.querySelector<HTMLMetaElement>('meta[name="base-path"]')?.content ?? ''
