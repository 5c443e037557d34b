/** Error response of HubSpot. */
import type { SandboxReply } from '../sandbox.ts'

export const failure = (
  status: number,
  category: string,
  message: string,
  extraFields: Record<string, unknown> = {},
): SandboxReply => ({
  status,
  body: {
    status: 'error',
    message,
    correlationId: 'aeb5f871-7f07-4993-9211-075dc63e7cbf',
    category,
    ...extraFields,
  },
})
