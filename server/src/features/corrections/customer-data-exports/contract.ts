import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { CreatedAt, Instant, ProfileId, WorkspaceParams } from '../../../platform/contract/fields.ts'
import { Pagination, pageQuery } from '../../../platform/contract/page.ts'
import { hasOneSelector, ONE_SELECTOR, selectorFields } from '../erasures/contract.ts'

const tag = 'customer-data-exports'

export const laws = ['gdpr', 'lgpd', 'chile', 'ccpa', 'other'] as const
export const exportStatuses = [
  'awaiting_identity',
  'pending',
  'ready',
  'expired',
  'failed',
  'cancelled',
] as const
const ownerMethods = ['account', 'reply_from_address', 'in_person', 'other'] as const

const StatedIdentity = z.strictObject({
  method: z.enum(ownerMethods).describe('How the business made sure who asks'),
  note: z.string().trim().max(200).optional().describe('For the record; not part of the file'),
})
const MailCode = z.literal('mail_code').describe('A code is mailed to the address stored for the customer')
export const IdentityCheck = z.discriminatedUnion('method', [
  StatedIdentity,
  z.strictObject({ method: MailCode }),
])
export const IdentityAnswer = z.discriminatedUnion('method', [
  StatedIdentity,
  z.strictObject({
    method: MailCode,
    code: z
      .string()
      .regex(/^\d{6}$/, 'must have six digits')
      .optional()
      .describe('The code from the mail; without it, a new code is mailed'),
  }),
])
export type IdentityAnswer = z.output<typeof IdentityAnswer>

const ExportId = z.uuid().describe('Id of the request, its receipt and its file')

export const CustomerDataExport = z.object({
  data_export_id: ExportId,
  profile_id: ProfileId,
  status: z
    .enum(exportStatuses)
    .describe(
      'awaiting_identity: how the person was identified is not stated yet. cancelled: also by an erasure',
    ),
  law: z.enum(laws).describe('The law that the person refers to'),
  requested_on: z.iso.date().describe('Day on which the person asked'),
  due_on: z.iso.date().describe('Last day to answer, by the law'),
  is_overdue: z.boolean().describe('The due day has passed, and no file was downloaded'),
  identity_method: z
    .enum([...ownerMethods, 'mail_code'])
    .nullable()
    .describe('How the person was or will be identified; null until it is stated'),
  created_at: CreatedAt,
  ready_at: Instant.nullable().describe('When the file was complete; null before'),
  expires_at: Instant.describe('When the file is deleted, or the request ends without an identity check'),
  sections: z
    .array(
      z.object({
        name: z.string().describe('Name of the section, and of its file in the archive'),
        records: z.int().describe('Number of records in the section'),
      }),
    )
    .describe('Parts of the file'),
  sha256: z.string().nullable().describe('SHA-256 of the file, hexadecimal; null until it is ready'),
  bytes: z.int().nullable().describe('Size of the file; null until it is ready'),
  downloads: z.int().describe('How often the file was downloaded'),
})

const requestFields = {
  ...selectorFields,
  law: z.enum(laws).describe('Decides the due day'),
  requested_on: z.iso.date().describe('Day on which the person asked, not in the future'),
  identity_check: IdentityCheck.describe('How the person was identified, or will be'),
}
const description =
  'The file is built in the background once the person is identified, and is available for 7 days. The owners of the workspace get a mail. Repeating the request within 24 hours returns the existing receipt.'
const example = {
  email: 'ana@example.com',
  law: 'gdpr',
  requested_on: '2026-05-04',
  identity_check: { method: 'account' },
} as const
const requestErrors = [
  'customer_not_found',
  'validation_error',
  'rate_limit_exceeded',
  'app_provisioned_workspace',
] as const
const appAccess = { kind: 'profile', scopes: ['customers:read', 'identity:read'] } as const
const ofApp = { ...appAccess, writes: 'own' } as const
const ofWorkspace = { kind: 'workspace', role: 'admin' } as const
const IdParams = z.object({ data_export_id: ExportId })
const WorkspaceIdParams = WorkspaceParams.extend({ data_export_id: ExportId })
const appPath = '/customers/data-exports'
const workspacePath = '/workspaces/{workspaceId}/customer-data-exports'
const identityDescription =
  'The answer to `awaiting_identity`: how the person was identified, or the code from the mail. A code is valid for 10 minutes and 5 tries, and shows control of the mailbox.'
const fileDescription =
  'A ZIP archive with a README in three languages, a manifest and one file per section. 404 before it is ready and after it expired. Each download is logged.'

export const requestCustomerDataExport = endpoint({
  name: 'requestCustomerDataExport',
  noPage: 'partner_apps',
  method: 'POST',
  path: appPath,
  summary: "Export one customer's data, with a partner app's API key",
  description,
  tag,
  access: ofApp,
  entitlement: 'rights',
  body: z.strictObject(requestFields).refine(hasOneSelector, ONE_SELECTOR),
  reply: CustomerDataExport,
  statuses: [202, 200],
  errors: ['api_key_required', ...requestErrors],
  example: { body: example },
})

export const getCustomerDataExport = endpoint({
  name: 'getCustomerDataExport',
  noPage: 'partner_apps',
  method: 'GET',
  path: `${appPath}/{data_export_id}`,
  summary: "Get the receipt of an export of a customer's data",
  description: 'Contains the status, the due day and the sections of the file.',
  tag,
  access: appAccess,
  params: IdParams,
  reply: CustomerDataExport,
  errors: ['api_key_required', 'not_found'],
})

export const confirmCustomerDataExport = endpoint({
  name: 'confirmCustomerDataExport',
  noPage: 'partner_apps',
  method: 'POST',
  path: `${appPath}/{data_export_id}/identity-check`,
  summary: 'State how the person was identified, or answer with the mailed code',
  description: identityDescription,
  tag,
  access: ofApp,
  entitlement: 'rights',
  idempotent: false,
  params: IdParams,
  body: IdentityAnswer,
  reply: CustomerDataExport,
  errors: ['api_key_required', 'not_found', 'invalid_state', 'validation_error', 'app_provisioned_workspace'],
  example: { body: { method: 'mail_code', code: '123456' } },
})

export const downloadCustomerDataExport = endpoint({
  name: 'downloadCustomerDataExport',
  noPage: 'partner_apps',
  method: 'GET',
  path: `${appPath}/{data_export_id}/file`,
  summary: "Download the file of a customer's data",
  description: fileDescription,
  tag,
  access: appAccess,
  personLevel: 'refused',
  params: IdParams,
  reply: z.null(),
  file: 'application/zip',
  errors: ['api_key_required', 'not_found'],
})

export const deleteCustomerDataExport = endpoint({
  name: 'deleteCustomerDataExport',
  noPage: 'partner_apps',
  method: 'DELETE',
  path: `${appPath}/{data_export_id}`,
  summary: "Cancel an export of a customer's data, or delete its file",
  description: 'The file is deleted at once; the receipt stays.',
  tag,
  access: ofApp,
  entitlement: 'rights',
  params: IdParams,
  reply: z.null(),
  statuses: [204],
  errors: ['api_key_required', 'not_found'],
})

export const requestWorkspaceCustomerDataExport = endpoint({
  name: 'requestWorkspaceCustomerDataExport',
  method: 'POST',
  path: workspacePath,
  summary: "Export one customer's data, as owner or admin",
  description,
  tag,
  access: ofWorkspace,
  params: WorkspaceParams,
  body: z.strictObject({ profile_id: ProfileId, ...requestFields }).refine(hasOneSelector, ONE_SELECTOR),
  reply: CustomerDataExport,
  statuses: [202, 200],
  errors: ['not_found', ...requestErrors],
  example: { body: { profile_id: '0198f6a2-7c1e-7b7e-9d3c-2f6a54b0c111', ...example } },
})

export const listWorkspaceCustomerDataExports = endpoint({
  name: 'listWorkspaceCustomerDataExports',
  method: 'GET',
  path: workspacePath,
  summary: "List the exports of customers' data",
  description: 'Open requests first, by due day; then the others, newest first.',
  tag,
  access: ofWorkspace,
  params: WorkspaceParams,
  query: z.object({
    status: z.enum(exportStatuses).optional().describe('Only requests in this state'),
    due: z.enum(['overdue']).optional().describe('Only requests whose due day has passed unanswered'),
    ...pageQuery,
  }),
  reply: z.array(CustomerDataExport),
  extra: { pagination: Pagination },
  errors: ['not_found'],
})

export const getWorkspaceCustomerDataExport = endpoint({
  name: 'getWorkspaceCustomerDataExport',
  noPage: 'shown_elsewhere',
  method: 'GET',
  path: `${workspacePath}/{data_export_id}`,
  summary: "Get the receipt of an export in one of the workspace's profiles",
  description: 'Contains the status, the due day and the sections of the file.',
  tag,
  access: ofWorkspace,
  params: WorkspaceIdParams,
  reply: CustomerDataExport,
  errors: ['not_found'],
})

export const confirmWorkspaceCustomerDataExport = endpoint({
  name: 'confirmWorkspaceCustomerDataExport',
  method: 'POST',
  path: `${workspacePath}/{data_export_id}/identity-check`,
  summary: 'State how the person was identified, or enter the mailed code',
  description: identityDescription,
  tag,
  access: ofWorkspace,
  idempotent: false,
  params: WorkspaceIdParams,
  body: IdentityAnswer,
  reply: CustomerDataExport,
  errors: ['not_found', 'invalid_state', 'validation_error', 'app_provisioned_workspace'],
  example: { body: { method: 'account' } },
})

export const downloadWorkspaceCustomerDataExport = endpoint({
  name: 'downloadWorkspaceCustomerDataExport',
  method: 'GET',
  path: `${workspacePath}/{data_export_id}/file`,
  summary: "Download the file of a customer's data, as owner or admin",
  description: fileDescription,
  tag,
  access: ofWorkspace,
  params: WorkspaceIdParams,
  reply: z.null(),
  file: 'application/zip',
  errors: ['not_found'],
})

export const deleteWorkspaceCustomerDataExport = endpoint({
  name: 'deleteWorkspaceCustomerDataExport',
  method: 'DELETE',
  path: `${workspacePath}/{data_export_id}`,
  summary: 'Cancel an export, or delete its file',
  description: 'The file is deleted at once; the receipt stays.',
  tag,
  access: ofWorkspace,
  params: WorkspaceIdParams,
  reply: z.null(),
  statuses: [204],
  errors: ['not_found'],
})
