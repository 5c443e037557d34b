import { type AsyncRouteComponent, lazyRouteComponent } from '@tanstack/react-router'

/** What a page's own code could not be fetched for; not the router's error, on which it reloads the whole app. */
class PageNotFetched extends Error {}

/** A page whose code comes when it is opened. While the service is away the app stays, and the page says so. */
export function lazyPage<T extends Record<string, unknown>, K extends keyof T & string>(
  importer: () => Promise<T>,
  name: K,
): T[K] extends (props: infer P) => unknown ? AsyncRouteComponent<P> : never {
  const fetched = () =>
    importer().catch((cause: unknown) => {
      throw new PageNotFetched('The page could not be fetched', { cause })
    })
  // biome-ignore lint/suspicious/noExplicitAny: the router's own type says the same less plainly
  return lazyRouteComponent(fetched as any, name) as any
}
