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
import type { CallOptions, Operation, Page } from '@whence/sdk'
import { isTransient, isUnauthorized, send } from './call.ts'
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

/** An input whose parts are all optional may be left out. */
export type ReadArguments<Input> =
  Partial<Input> extends Input
    ? [input?: NoInfer<Input>, options?: ReadOptions]
    : [input: NoInfer<Input>, options?: ReadOptions]

export function readOptions<Input, Output>(
  operation: Operation<Input, Output>,
  ...[input]: ReadArguments<Input>
) {
  return optionsOf(operation, input ?? {})
}

function optionsOf<Output>(operation: Operation<unknown, Output>, input: unknown) {
  return {
    queryKey: [operation.name, input] as const,
    queryFn: (): Promise<Output> => send(operation, input),
  }
}

export function useRead<Input, Output>(
  operation: Operation<Input, Output>,
  ...[input, options = {}]: ReadArguments<Input>
): UseQueryResult<Output> {
  return useQuery({
    ...optionsOf(operation, input ?? {}),
    enabled: options.enabled ?? true,
    refetchInterval: options.every ?? false,
    placeholderData: options.keep ? (previous) => previous : undefined,
  })
}

type PagedInput = { query?: { cursor?: string } }

/** A paged list: all pages so far as one, and a way to load the next. */
export function usePages<Input extends PagedInput, Output extends Page<unknown>>(
  operation: Operation<Input, Output>,
  input: NoInfer<Input>,
  options: Pick<ReadOptions, 'every' | 'enabled'> = {},
) {
  return useInfiniteQuery({
    queryKey: [operation.name, 'pages', input] as const,
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }): Promise<Output> =>
      send(
        operation,
        pageParam === null ? input : { ...input, query: { ...input.query, cursor: pageParam } },
      ),
    getNextPageParam: ({ pagination }) => (pagination.has_next ? pagination.cursor : null),
    enabled: options.enabled ?? true,
    refetchInterval: options.every ?? false,
    placeholderData: (before: InfiniteData<Output, string | null> | undefined) => before,
  })
}

/** A change; the named reads are asked again afterwards. */
export function useWrite<Input, Output>(
  operation: Operation<Input, Output>,
  stale: readonly { name: string }[] = [],
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (input: Input & CallOptions): Promise<Output> => send(operation, input),
    onSuccess: () => refetch(client, stale),
  })
}
