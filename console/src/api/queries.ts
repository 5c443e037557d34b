import {
  type InfiniteData,
  MutationCache,
  QueryCache,
  QueryClient,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type { Output, Schema, Success } from '@whence/server/platform/contract/client.ts'
import { call, type Entry, type InputOf, isTransient, isUnauthorized } from './call.ts'
import { refetch } from './refetch.ts'

/** Called when a session has ended, so that the person can sign in again. */
let onSignedOut = () => {}
export function whenSignedOut(listener: () => void): void {
  onSignedOut = listener
}
const watch = (error: unknown) => {
  if (isUnauthorized(error)) onSignedOut()
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: watch }),
  mutationCache: new MutationCache({ onError: watch }),
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (count, error) => count < 2 && isTransient(error),
      refetchOnWindowFocus: false,
      // Without this a browser that believes to be offline waits for ever instead of failing.
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})

export type ReadOptions = {
  enabled?: boolean
  /** Milliseconds between two looks, for what changes by itself. */
  every?: number | false
  /** Keeps the last answer on screen while the next one is on its way. */
  keep?: boolean
}

export function readOptions<P extends Schema, Q extends Schema, B extends Schema, R extends Schema>(
  entry: Entry<P, Q, B, R>,
  input: InputOf<P, Q, B> = {},
) {
  return {
    queryKey: [entry.name, input] as const,
    queryFn: (): Promise<Success<Output<R>>> => call(entry, input),
  }
}

export function useRead<P extends Schema, Q extends Schema, B extends Schema, R extends Schema>(
  entry: Entry<P, Q, B, R>,
  input: InputOf<P, Q, B> = {},
  options: ReadOptions = {},
): UseQueryResult<Success<Output<R>>> {
  return useQuery({
    ...readOptions(entry, input),
    enabled: options.enabled ?? true,
    refetchInterval: options.every ?? false,
    placeholderData: options.keep ? (previous) => previous : undefined,
  })
}

type PageInfo = { has_next: boolean; cursor: string | null }

/** A paged list: all pages so far as one, and a way to load the next. */
export function usePages<P extends Schema, Q extends Schema, B extends Schema, R extends Schema>(
  entry: Entry<P, Q, B, R>,
  input: InputOf<P, Q, B>,
  options: Pick<ReadOptions, 'every' | 'enabled'> = {},
) {
  const pageOf = (reply: Success<Output<R>>) => reply.pagination as PageInfo
  return useInfiniteQuery({
    queryKey: [entry.name, 'pages', input] as const,
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }): Promise<Success<Output<R>>> =>
      call(entry, pageParam === null ? input : { ...input, query: { ...input.query!, cursor: pageParam } }),
    getNextPageParam: (reply) => (pageOf(reply).has_next ? pageOf(reply).cursor : null),
    enabled: options.enabled ?? true,
    refetchInterval: options.every ?? false,
    placeholderData: (before: InfiniteData<Success<Output<R>>, string | null> | undefined) => before,
  })
}

/** A change; the named reads are asked again afterwards. */
export function useWrite<P extends Schema, Q extends Schema, B extends Schema, R extends Schema>(
  entry: Entry<P, Q, B, R>,
  stale: readonly { name: string }[] = [],
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (input: InputOf<P, Q, B>) => call(entry, input),
    onSuccess: () => refetch(client, stale),
  })
}
