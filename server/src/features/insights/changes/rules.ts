import { Refusal } from '../../../platform/contract/refusal.ts'
import { readAsOf } from '../../figures/definitions/rules.ts'

/** `as_of` implies `until`. */
export function readUntil(query: {
  until?: string | undefined
  as_of?: string | undefined
}): Date | undefined | Refusal {
  if (query.until !== undefined && query.as_of !== undefined)
    return new Refusal('invalid_parameter', 'cannot be combined with until.', {
      field: 'as_of',
      hint: 'Send only one of them.',
    })
  return readAsOf(query.until ?? query.as_of)
}
