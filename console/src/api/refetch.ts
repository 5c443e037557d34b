import type { QueryClient, QueryFilters } from '@tanstack/react-query'

/**
 * Reads again what a change has made old. A first answer that is still on its way may be from before the change, and the
 * client would take it for the new one: it is waited for, then asked again.
 */
export async function refetch(client: QueryClient, stale?: readonly { name: string }[]): Promise<void> {
  const filters: QueryFilters[] = stale?.map(({ name }) => ({ queryKey: [name] })) ?? [{}]
  await Promise.all(
    filters.map(async (filter) => {
      const running = client.getQueryCache().findAll({ ...filter, fetchStatus: 'fetching' })
      const first = running.filter(({ state }) => state.data === undefined)
      await Promise.allSettled(first.map(({ promise }) => promise))
      await client.invalidateQueries(filter)
    }),
  )
}
