import { type AsyncRouteComponent, lazyRouteComponent } from '@tanstack/react-router'

/** Wraps a failed import: on the original error, the router would reload the whole app. */
class PageNotFetched extends Error {}

/** A page whose code is loaded when it is opened. If that fails, the app stays open and the page shows the error. */
export function lazyPage<T extends Record<string, unknown>, K extends keyof T & string>(
  importer: () => Promise<T>,
  name: K,
): T[K] extends (props: infer P) => unknown ? AsyncRouteComponent<P> : never {
  const fetchModule = () =>
    importer().catch((cause: unknown) => {
      throw new PageNotFetched('The page could not be fetched', { cause })
    })
  // biome-ignore lint/suspicious/noExplicitAny: the router's own type is equivalent but harder to read
  return lazyRouteComponent(fetchModule as any, name) as any
}
