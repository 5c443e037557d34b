/** Why pure code refuses something. Rules return it instead of a value; the operation throws it. */
import type { ErrorCode } from './error-catalogue.ts'
import { ApiError } from './errors.ts'

export class Refusal {
  readonly code: ErrorCode
  readonly message: string
  constructor(code: ErrorCode, message: string) {
    this.code = code
    this.message = message
  }
}

export const toError = ({ code, message }: Refusal): ApiError => new ApiError(code, message)

/** What a rule answered; its refusal becomes the error that the caller sees. */
export function accepted<T>(answer: T | Refusal): T {
  if (answer instanceof Refusal) throw toError(answer)
  return answer
}
