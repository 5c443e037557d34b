/** An error as a value: pure rules return it, and the operation throws it. */
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

/** Converts a schema validation failure. */
export function toRefusal(code: ErrorCode, { path, problem, rule, message }: ParseFailure): Refusal {
  return path === '' ? new Refusal(code, message) : new Refusal(code, problem, { field: path, rule })
}

/** Unwraps the result of a rule; throws its refusal as an API error. */
export function accepted<T>(result: T | Refusal): T {
  if (result instanceof Refusal) throw toError(result)
  return result
}
