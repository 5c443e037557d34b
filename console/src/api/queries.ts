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
import { withProof } from './reauthenticate.ts'
import { refetch } from './refetch.ts'

/** Called when a session has expired, so that the user can sign in again. */
let onSignedOut = () => {}
export function whenSignedOut(listener: () => void): void {
  onSignedOut = listener
}
const checkSession = (error: unknown) => {
  if (isUnauthorized(error)) onSignedOut()
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: checkSession }),
  mutationCache: new MutationCache({ onError: checkSession }),
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (count, error) => count < 2 && isTransient(error),
      refetchOnWindowFocus: false,
      // Otherwise a browser that considers itself offline would wait forever instead of failing.
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})

export type ReadOptions = {
  enabled?: boolean
  /** Polling interval in milliseconds. */
  every?: number | false
  /** Shows the previous response while the next one loads. */
  keep?: boolean
}

/** An input may be omitted if all its parts are optional. */
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

/** A paged list: all loaded pages, and a function to load the next. */
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

/** A mutation; afterwards the `stale` reads are refetched. */
export function useWrite<Input, Output>(
  operation: Operation<Input, Output>,
  stale: readonly { name: string }[] = [],
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (input: Input & CallOptions): Promise<Output> => withProof(() => send(operation, input)),
    onSuccess: () => refetch(client, stale),
  })
}
