/** Error response of the platform (`ApiFaultDetail`), with codes of "Bing Ads API operation error codes". */
import type { SandboxReply } from '../sandbox.ts'

export const fault = (status: number, Code: number, ErrorCode: string, Message: string): SandboxReply => ({
  status,
  body: {
    TrackingId: '8f0e0000-0000-4000-8000-000000000000',
    OperationErrors: [{ Code, Details: null, ErrorCode, Message }],
    BatchErrors: [],
    Type: 'ApiFaultDetail',
  },
})
