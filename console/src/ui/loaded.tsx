import type { ReactNode } from 'react'
import { Failure } from './failure.tsx'
import { SkeletonRows } from './skeleton.tsx'

/** One of three: its shape while it loads, why it did not load, or the thing itself. */
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
