/**
 * Requests that the platform refuses: unknown versions, unknown parameters, limits out of
 * range. The parameters are those of the official client's types (stripe 23.1.0, read 2026-11-16); a
 * test compares this table with them.
 */
import type { SandboxReply, SandboxRequest } from '../sandbox.ts'
import type { Kind } from './ledger.ts'

const common = ['created', 'ending_before', 'expand', 'limit', 'starting_after'] as const
export const listParameters = {
  charges: [...common, 'customer', 'payment_intent', 'transfer_group'],
  checkout_sessions: [
    ...common,
    'customer',
    'customer_account',
    'customer_details',
    'payment_intent',
    'payment_link',
    'status',
    'subscription',
  ],
  refunds: [...common, 'charge', 'payment_intent'],
  disputes: [...common, 'charge', 'payment_intent'],
} as const satisfies Record<Kind, readonly string[]>

/** Filters by equality. */
const valueFilters = ['charge', 'customer', 'payment_intent', 'status', 'subscription'] as const

/** Versions are named by date and release train; the platform refuses unknown names. */
const knownVersions = new Set([
  '2025-08-27.basil',
  '2025-09-30.clover',
  '2026-03-25.dahlia',
  '2026-10-28.endive',
])

export const failure = (
  status: number,
  code: string | null,
  message: string,
  param?: string,
): SandboxReply => ({
  status,
  body: {
    error: {
      type: 'invalid_request_error',
      ...(code === null ? {} : { code }),
      message,
      ...(param === undefined ? {} : { param }),
    },
  },
})

export function refusedVersion(request: SandboxRequest): SandboxReply | null {
  const version = request.headers['stripe-version']
  if (version === undefined || knownVersions.has(version)) return null
  return failure(400, null, `Invalid Stripe API version: ${version}`)
}

const nameOf = (parameter: string) => parameter.split('[')[0]!

export function refusedParameters(request: SandboxRequest, accepted: readonly string[]): SandboxReply | null {
  for (const parameter of request.query.keys())
    if (!accepted.includes(nameOf(parameter)))
      return failure(400, 'parameter_unknown', `Received unknown parameter: ${parameter}`, parameter)
  const limit = request.query.get('limit')
  if (limit === null) return null
  if (!/^\d+$/.test(limit))
    return failure(400, 'parameter_invalid_integer', `Invalid integer: ${limit}`, 'limit')
  if (Number(limit) < 1) return failure(400, null, 'This value must be greater than or equal to 1.', 'limit')
  return Number(limit) > 100
    ? failure(400, null, 'This value must be less than or equal to 100.', 'limit')
    : null
}

/** Whether an item matches the filters. */
export function matches(
  query: URLSearchParams,
  item: Record<string, unknown> & { created: number },
): boolean {
  const bounds: Record<string, (at: number) => boolean> = {
    gt: (at) => item.created > at,
    gte: (at) => item.created >= at,
    lt: (at) => item.created < at,
    lte: (at) => item.created <= at,
  }
  return (
    Object.entries(bounds).every(([name, isWithin]) => {
      const at = query.get(`created[${name}]`)
      return at === null || isWithin(Number(at))
    }) && valueFilters.every((name) => !query.has(name) || item[name] === query.get(name))
  )
}
