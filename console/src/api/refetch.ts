import type { QueryClient, QueryFilters } from '@tanstack/react-query'

/**
 * Refetches queries after a change. A first response that is still loading may be from before the change, and the
 * client would use it as the new one. So first loads are awaited before the queries are invalidated.
 */
export async function refetch(client: QueryClient, stale?: readonly { name: string }[]): Promise<void> {
  const filters: QueryFilters[] = stale?.map(({ name }) => ({ queryKey: [name] })) ?? [{}]
  await Promise.all(
    filters.map(async (filter) => {
      const running = client.getQueryCache().findAll({ ...filter, fetchStatus: 'fetching' })
      const firstLoads = running.filter(({ state }) => state.data === undefined)
      await Promise.allSettled(firstLoads.map(({ promise }) => promise))
      await client.invalidateQueries(filter)
    }),
  )
}
