/** Interprets the response status of a chat webhook. Pure. */

/** Why the webhook rejected the message; null if it accepted it. */
export const refusalOf = (status: number): string | null =>
  status >= 200 && status < 300 ? null : `The webhook returned status ${status}.`

/** True if a retry can succeed: the service timed out, is overloaded or failing. */
export const isTemporary = (status: number): boolean => status === 408 || status === 429 || status >= 500
