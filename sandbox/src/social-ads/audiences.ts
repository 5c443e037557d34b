/** Imitates custom audiences: terms first, sessions of batches, hashes only. */
import { z } from 'zod'
import type { SandboxOptions, SandboxReply, SandboxRequest } from '../sandbox.ts'
import { seededDigits } from '../seeded-random.ts'
import { graphError, readJson } from './replies.ts'

type Audience = { id: string; accountId: string; name: string; members: Map<string, Record<string, string>> }

const Audience = z.strictObject({
  name: z.string().min(1),
  subtype: z.literal('CUSTOM'),
  customer_file_source: z.enum([
    'USER_PROVIDED_ONLY',
    'PARTNER_PROVIDED_ONLY',
    'BOTH_USER_AND_PARTNER_PROVIDED',
  ]),
  description: z.string().optional(),
})
const keys = ['EXTERN_ID', 'EMAIL', 'PHONE'] as const
const Users = z.strictObject({
  session: z.strictObject({
    session_id: z.int().min(1),
    batch_seq: z.int().min(1),
    last_batch_flag: z.boolean(),
    estimated_num_total: z.int().optional(),
  }),
  payload: z.strictObject({
    schema: z.array(z.enum(keys)).min(1),
    data: z.array(z.array(z.string())).min(1),
  }),
})
const maxRows = 10_000
const isHash = (value: string) => /^[0-9a-f]{64}$/.test(value)

/** A person matches by any of the keys. */
function removeMatching({ members }: Audience, identifiers: Record<string, string>): void {
  for (const [key, member] of members)
    if (Object.entries(identifiers).some(([name, value]) => member[name] === value)) members.delete(key)
}

export function createAudiences(options: SandboxOptions) {
  const audiences = new Map<string, Audience>()
  let termsRefused = false
  const terms = () =>
    graphError(
      400,
      2655,
      'Terms of service has not been accepted',
      undefined,
      'Accept the terms for custom audiences.',
    )

  return {
    create(request: SandboxRequest, accountId: string): SandboxReply {
      if (termsRefused) return terms()
      const parsed = Audience.safeParse(readJson(request))
      if (!parsed.success) return graphError(400, 100, 'Invalid parameter')
      const id = seededDigits(16, options.seed, 'audience', audiences.size)
      audiences.set(id, { id, accountId, name: parsed.data.name, members: new Map() })
      return { status: 200, body: { id } }
    },
    find: (id: string) => audiences.get(id),
    change(request: SandboxRequest, audience: Audience): SandboxReply {
      if (termsRefused && request.method === 'POST') return terms()
      const parsed = Users.safeParse(readJson(request))
      if (!parsed.success)
        return graphError(400, 100, 'Invalid parameter', undefined, parsed.error.issues[0]!.path.join('.'))
      const { session, payload } = parsed.data
      if (payload.data.length > maxRows) return graphError(400, 100, 'Too many users in one request')
      let invalid = 0
      for (const row of payload.data) {
        const member = Object.fromEntries(
          payload.schema.map((name, index) => [name, row[index] ?? '']).filter(([, value]) => value !== ''),
        ) as Record<string, string>
        const plain = ['EMAIL', 'PHONE'].some((name) => member[name] !== undefined && !isHash(member[name]))
        if (plain || Object.keys(member).length === 0 || row.length !== payload.schema.length) invalid += 1
        else if (request.method === 'DELETE') removeMatching(audience, member)
        else audience.members.set(JSON.stringify(member), member)
      }
      return {
        status: 200,
        body: {
          audience_id: audience.id,
          session_id: String(session.session_id),
          num_received: payload.data.length,
          num_invalid_entries: invalid,
          invalid_entry_samples: {},
        },
      }
    },
    act(action: string, args: Record<string, unknown>): Record<string, unknown> | null {
      if (action === 'refuse_terms') {
        termsRefused = args.on !== false
        return { refused: termsRefused }
      }
      if (action !== 'customer_lists') return null
      return {
        lists: [...audiences.values()].map(({ id, name, members }) => ({
          id,
          name,
          members: [...members.values()],
        })),
      }
    },
    reset: () => {
      termsRefused = false
    },
  }
}
