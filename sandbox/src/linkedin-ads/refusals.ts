/** Error response of LinkedIn. */
import type { SandboxReply } from '../sandbox.ts'

export const refuse = (
  status: number,
  code: string,
  message: string,
  serviceErrorCode?: number,
): SandboxReply => ({
  status,
  body: { status, code, message, ...(serviceErrorCode === undefined ? {} : { serviceErrorCode }) },
})
