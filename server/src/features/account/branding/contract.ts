import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { Instant, Name, WorkspaceParams } from '../../../platform/contract/fields.ts'

const Color = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'must be a colour such as #1a2b3c')

const fields = {
  display_name: Name.nullable()
    .default(null)
    .describe('Business name on hand-off pages and in mails; null if it is not set'),
  primary_color: Color.nullable()
    .default(null)
    .describe('Color of buttons and links, such as `#1a2b3c`; null if it is not set'),
  accent_color: Color.nullable()
    .default(null)
    .describe('Accent color of pages and mails, such as `#1a2b3c`; null if it is not set'),
  support_email: z
    .email()
    .max(254)
    .nullable()
    .default(null)
    .describe('Email address to which customers may write; null if it is not set'),
  website_url: z
    .url({ protocol: /^https?$/ })
    .max(2000)
    .nullable()
    .default(null)
    .describe('URL of the business’s website; null if it is not set'),
}

export const Branding = z.object({
  display_name: z
    .string()
    .nullable()
    .describe('Business name on hand-off pages and in mails; null if it is not set'),
  primary_color: z
    .string()
    .nullable()
    .describe('Color of buttons and links, such as `#1a2b3c`; null if it is not set'),
  accent_color: z
    .string()
    .nullable()
    .describe('Accent color of pages and mails, such as `#1a2b3c`; null if it is not set'),
  support_email: z
    .string()
    .nullable()
    .describe('Email address to which customers may write; null if it is not set'),
  website_url: z.string().nullable().describe('URL of the business’s website; null if there is none'),
  logo_url: z.string().nullable().describe('Public address of the logo; null without a logo'),
  updated_at: Instant.nullable().describe('When it was last changed; null if it never was'),
})

export const getBranding = endpoint({
  name: 'getBranding',
  method: 'GET',
  path: '/workspaces/{workspaceId}/branding',
  summary: 'Get the branding of a workspace',
  description: 'Name, colours and logo shown on hand-off pages and in mails.',
  tag: 'branding',
  access: { kind: 'workspace', role: 'viewer', tokens: 'any' },
  params: WorkspaceParams,
  reply: Branding,
})

export const putBranding = endpoint({
  name: 'putBranding',
  method: 'PUT',
  path: '/workspaces/{workspaceId}/branding',
  summary: 'Replace the branding, except the logo',
  description: 'Omitted fields are reset to their defaults.',
  tag: 'branding',
  access: { kind: 'workspace', role: 'admin' },
  params: WorkspaceParams,
  body: z.strictObject(fields),
  reply: Branding,
  example: { body: { display_name: 'Acme', primary_color: '#1a2b3c' } },
})

const MULTIPART_OVERHEAD = 16 * 1024
export const MAX_LOGO_BYTES = 5 * 1024 * 1024

export const uploadLogo = endpoint({
  name: 'uploadLogo',
  method: 'POST',
  path: '/workspaces/{workspaceId}/branding/logo',
  summary: 'Upload the logo',
  description:
    'The body is the image itself, or multipart/form-data with one file. PNG, JPEG, GIF or WebP, detected from the bytes; at most 5 MiB.',
  tag: 'branding',
  access: { kind: 'workspace', role: 'admin' },
  params: WorkspaceParams,
  rawBody: ['image/*', 'multipart/form-data', 'application/octet-stream'],
  bodyLimit: MAX_LOGO_BYTES + MULTIPART_OVERHEAD,
  reply: Branding,
  errors: ['invalid_content', 'payload_too_large'],
})

export const removeLogo = endpoint({
  name: 'removeLogo',
  method: 'DELETE',
  path: '/workspaces/{workspaceId}/branding/logo',
  summary: 'Remove the logo',
  description: 'Pages and mails show the name instead.',
  tag: 'branding',
  access: { kind: 'workspace', role: 'admin' },
  params: WorkspaceParams,
  reply: z.null(),
  statuses: [204],
})
