import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { DomainName, Instant, Name, WorkspaceParams } from '../../../platform/contract/fields.ts'

export const recordPurposes = ['dkim', 'return_path', 'spf', 'dmarc'] as const
export const recordStatuses = ['unchecked', 'found', 'missing', 'different', 'unknown'] as const
export const senderStatuses = ['pending', 'verified', 'failed', 'temporary_failure'] as const

export const SenderDomain = z.object({
  domain: z.string(),
  status: z
    .enum(senderStatuses)
    .describe(
      'pending: waiting for the records, at most 72 hours; verified: mail is sent from the domain; failed: the records are missing or wrong; temporary_failure: the last look-up failed, nothing was decided',
    ),
  records: z
    .array(
      z.object({
        purpose: z.enum(recordPurposes),
        type: z.enum(['TXT', 'CNAME']),
        name: z.string().describe('Full name of the record'),
        value: z.string().describe('What the record must hold; of SPF, what it must include'),
        required: z.boolean().describe('False: recommended, but the domain is verified without it'),
        status: z.enum(recordStatuses).describe('As of the last check; unknown: the look-up failed'),
        found: z.array(z.string()).describe('What was found instead or as well'),
      }),
    )
    .describe('DNS records to set'),
  from: z.string().describe('Sender of reports once the domain is verified'),
  created_at: Instant,
  checked_at: Instant.nullable(),
})

const description =
  'Reports to clients are sent from this domain once it is verified, signed with DKIM. Until then they come from the sender of the deployment, with the name of the workspace.'

export const getSenderDomain = endpoint({
  name: 'getSenderDomain',
  method: 'GET',
  path: '/workspaces/{workspaceId}/sender-domain',
  summary: 'The domain that reports are sent from',
  description: `${description} Null where none is registered.`,
  tag: 'branding',
  access: { kind: 'workspace', role: 'viewer' },
  params: WorkspaceParams,
  reply: SenderDomain.nullable(),
})

const localPart = z
  .string()
  .toLowerCase()
  .regex(/^[a-z0-9]([a-z0-9._-]{0,62}[a-z0-9])?$/, 'must be the part of an address before the @')

export const registerSenderDomain = endpoint({
  name: 'registerSenderDomain',
  method: 'POST',
  path: '/workspaces/{workspaceId}/sender-domain',
  summary: 'Register the domain that reports are sent from',
  description: `${description} Replies the DNS records to set. A workspace has one; registering another domain replaces it and makes a new key. The same domain again keeps its key and records.`,
  tag: 'branding',
  access: { kind: 'workspace', role: 'admin' },
  params: WorkspaceParams,
  body: z.strictObject({
    domain: DomainName,
    from_name: Name.nullable().default(null).describe('Defaults to the name in the branding'),
    from_local: localPart.default('reports').describe('The part of the sender before the @'),
  }),
  reply: SenderDomain,
  statuses: [201],
  errors: ['app_provisioned_workspace', 'plan_upgrade_required'],
  example: { body: { domain: 'agency.example', from_name: 'Acme Agency' } },
})

export const removeSenderDomain = endpoint({
  name: 'removeSenderDomain',
  method: 'DELETE',
  path: '/workspaces/{workspaceId}/sender-domain',
  summary: 'Remove the sending domain',
  description: 'Its key is deleted; mail comes from the sender of the deployment again.',
  tag: 'branding',
  access: { kind: 'workspace', role: 'admin' },
  params: WorkspaceParams,
  reply: z.null(),
  statuses: [204],
})

export const verifySenderDomain = endpoint({
  name: 'verifySenderDomain',
  method: 'POST',
  path: '/workspaces/{workspaceId}/sender-domain/verify',
  summary: 'Check the DNS records now',
  description:
    'Looks the records up and replies the verdict. The service checks by itself every hour while the domain is pending, and daily afterwards. A look-up that fails decides nothing: a verified domain stays verified.',
  tag: 'branding',
  access: { kind: 'workspace', role: 'admin' },
  params: WorkspaceParams,
  body: z.strictObject({}).default({}),
  reply: SenderDomain,
})
