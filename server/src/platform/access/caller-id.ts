import type { ProfileContext } from '../../context.ts'
import { ApiError } from '../contract/errors.ts'

/** Whose own things these are: a person's, or a key's where a program calls. */
export function callerId({ caller }: Pick<ProfileContext, 'caller'>): string {
  switch (caller.kind) {
    case 'user':
      return caller.userId
    case 'key':
      return caller.credentialId
    default:
      throw new ApiError('forbidden', 'Only a person or a key has things of its own.')
  }
}
