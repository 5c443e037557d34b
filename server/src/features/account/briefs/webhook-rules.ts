/** What the reply of a chat webhook means. Pure. */

/** Null if it was taken; otherwise why not. */
export const refusalOf = (status: number): string | null =>
  status >= 200 && status < 300 ? null : `The webhook answered with status ${status}.`

/** Another try can succeed: the service is overloaded or failing. */
export const isTemporary = (status: number): boolean => status === 408 || status === 429 || status >= 500
