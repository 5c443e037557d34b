/** Reads the code of a prefilled chat message. Only its hash leaves this file, so that no character of a text is stored. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { findChatCode, readChatCode } from '../platform/contract/chat-codes.ts'

/** SHA-256 in hex. */
export const hashOfChatCode = (code: string): string => createHash('sha256').update(code).digest('hex')

const hashOrNull = (code: string | null) => (code === null ? null : hashOfChatCode(code))
const codeOr = (read: (text: string) => string | null) =>
  z
    .string()
    .transform((text) => hashOrNull(read(text)))
    .nullish()
    .transform((hash) => hash ?? null)
    .catch(null)

/** In a text that a person wrote. */
export const codeInText = codeOr(findChatCode)
/** In the `ref` of a link, which holds nothing else. */
export const codeInRef = codeOr(readChatCode)
/** A hash that was read before, in a stored body. */
export const storedCode = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .nullish()
  .transform((hash) => hash ?? null)
  .catch(null)
