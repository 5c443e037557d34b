/** Sensitive requests need a fresh proof of who the person is; the dialog asks for it, then the request is repeated. */
import { WhenceError } from '@whence/sdk'

let ask: (() => Promise<boolean>) | undefined

/** Resolves to true once the person has proved it, false if cancelled. */
export function whenProofNeeded(listener: () => Promise<boolean>): void {
  ask = listener
}

export async function withProof<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request()
  } catch (error) {
    const isNeeded = error instanceof WhenceError && error.reason === 'reauthentication_required'
    if (!isNeeded || ask === undefined || !(await ask())) throw error
    return request()
  }
}
