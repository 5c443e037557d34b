/** Why pure code refuses something. Rules return it instead of a value; the operation throws it. */
import type { ErrorCode } from './error-catalogue.ts'
import { ApiError, type ErrorExtras, withField } from './errors.ts'
import type { ParseFailure } from './parse.ts'

export class Refusal {
  readonly code: ErrorCode
  readonly problem: string
  readonly extras: ErrorExtras
  constructor(code: ErrorCode, problem: string, extras: ErrorExtras = {}) {
    this.code = code
    this.problem = problem
    this.extras = extras
  }

  get message(): string {
    return withField(this.problem, this.extras.field)
  }
}

export const toError = ({ code, problem, extras }: Refusal): ApiError => new ApiError(code, problem, extras)

/** Of a value that its schema refused. */
export function toRefusal(code: ErrorCode, { path, problem, rule, message }: ParseFailure): Refusal {
  return path === '' ? new Refusal(code, message) : new Refusal(code, problem, { field: path, rule })
}

/** What a rule answered; its refusal becomes the error that the caller sees. */
export function accepted<T>(answer: T | Refusal): T {
  if (answer instanceof Refusal) throw toError(answer)
  return answer
}
