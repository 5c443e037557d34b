import type { ReactNode } from 'react'
import { Failure } from './failure.tsx'
import { SkeletonRows } from './skeleton.tsx'

/** Renders the skeleton, the error or the loaded data of a query. */
export function Loaded<T>({
  query,
  skeleton,
  children,
}: {
  query: { data: T | undefined; isError: boolean; error: unknown; refetch: () => Promise<unknown> }
  skeleton?: ReactNode
  children: (data: T) => ReactNode
}) {
  if (query.data !== undefined) return children(query.data)
  if (query.isError) return <Failure error={query.error} retry={() => void query.refetch()} />
  return skeleton ?? <SkeletonRows />
}
