import type { ProfileContext } from '../../context.ts'
import { ApiError } from '../contract/errors.ts'

/** Owner id for personal data such as saved views: the user, or the key if a program calls. */
export function callerId({ caller }: Pick<ProfileContext, 'caller'>): string {
  switch (caller.kind) {
    case 'user':
      return caller.userId
    case 'key':
      return caller.credentialId
    default:
      throw new ApiError('forbidden', 'Only a user or an API key can own this.')
  }
}
