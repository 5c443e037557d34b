import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { CreatedAt, DomainName, Instant, Name, WorkspaceParams } from '../../../platform/contract/fields.ts'

export const recordPurposes = ['dkim', 'return_path', 'spf', 'dmarc'] as const
export const recordStatuses = ['unchecked', 'found', 'missing', 'different', 'unknown'] as const
export const senderStatuses = ['pending', 'verified', 'failed', 'temporary_failure'] as const

export const SenderDomain = z.object({
  domain: z.string().describe('Domain that mails are sent from'),
  status: z
    .enum(senderStatuses)
    .describe(
      'pending: waiting for the records, at most 72 hours; verified: mail is sent from the domain; failed: records are missing or wrong; temporary_failure: the last DNS lookup failed, so the records could not be checked',
    ),
  records: z
    .array(
      z.object({
        purpose: z.enum(recordPurposes).describe('Purpose of the record'),
        type: z.enum(['TXT', 'CNAME']).describe('Type of the DNS record'),
        name: z.string().describe('Full name of the record'),
        value: z
          .string()
          .describe('Required content of the record; for SPF, the mechanism that it must include'),
        required: z.boolean().describe('False: recommended, but not needed for verification'),
        status: z.enum(recordStatuses).describe('As of the last check; unknown: the DNS lookup failed'),
        found: z.array(z.string()).describe('Values that the DNS lookup returned'),
      }),
    )
    .describe('DNS records to set'),
  from: z.string().describe('Sender of reports once the domain is verified'),
  created_at: CreatedAt,
  checked_at: Instant.nullable().describe('When it was last checked; null before the first check'),
})

const description =
  'Reports to clients are sent from this domain once it is verified, signed with DKIM. Until then they are sent from the deployment’s address with the name of the workspace.'

export const getSenderDomain = endpoint({
  name: 'getSenderDomain',
  method: 'GET',
  path: '/workspaces/{workspaceId}/sender-domain',
  summary: 'Get the domain that reports are sent from',
  description: `${description} Null if none is registered.`,
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
  description: `${description} Returns the DNS records to set. A workspace has one domain; remove it before you register another one. Registering the same domain again changes the sender and keeps its key and records.`,
  tag: 'branding',
  access: { kind: 'workspace', role: 'admin' },
  params: WorkspaceParams,
  body: z.strictObject({
    domain: DomainName.describe('Domain that mails are sent from'),
    from_name: Name.nullable()
      .default(null)
      .describe('Name of the sender; null or absent: the name in the branding'),
    from_local: localPart.default('reports').describe('The part of the sender before the @'),
  }),
  reply: SenderDomain,
  statuses: [201],
  errors: ['app_provisioned_workspace', 'plan_upgrade_required', 'invalid_state'],
  example: { body: { domain: 'agency.example', from_name: 'Acme Agency' } },
})

export const removeSenderDomain = endpoint({
  name: 'removeSenderDomain',
  method: 'DELETE',
  path: '/workspaces/{workspaceId}/sender-domain',
  summary: 'Remove the sending domain',
  description: 'Its key is deleted; mail is sent from the deployment’s address again.',
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
    'Looks up the records and returns the new status. The service also checks hourly while the domain is pending, and daily once it is verified. A failed lookup changes nothing: a verified domain stays verified.',
  tag: 'branding',
  access: { kind: 'workspace', role: 'admin' },
  params: WorkspaceParams,
  body: z.strictObject({}).default({}),
  reply: SenderDomain,
})
