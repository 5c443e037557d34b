/**
 * Parses a JSON body and rejects values that the service could not store exactly: NUL characters, lone surrogates,
 * numbers with more than 15 significant digits, nesting deeper than 32.
 */
import { withoutTrailing } from '../contract/text.ts'

const MAX_DEPTH = 32
const MAX_DIGITS = 15

export type JsonReading = { ok: true; value: unknown } | { ok: false; message: string }

/** A batch element that was rejected before schema validation. */
export class Unreadable {
  readonly message: string
  constructor(message: string) {
    this.message = message
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true })

export function readJson(bytes: Uint8Array): JsonReading {
  const text = decode(bytes)
  return text === null ? refuse('The body is not valid UTF-8.') : readText(text)
}

/**
 * The same for a batch body: an invalid element of the list `field` is replaced by an `Unreadable`; the others are
 * parsed.
 */
export function readJsonBatch(bytes: Uint8Array, field: string): JsonReading {
  const text = decode(bytes)
  if (text === null) return refuse('The body is not valid UTF-8.')
  const fullReading = readText(text)
  if (fullReading.ok || !isJson(text)) return fullReading
  let remaining = text
  const unreadable = new Map<number, Unreadable>()
  const elements = elementsOf(text, field)
  // Backwards, so that earlier offsets remain valid.
  for (const [index, { start, end }] of [...elements.entries()].reverse()) {
    const reading = readText(text.slice(start, end), 2)
    if (reading.ok) continue
    unreadable.set(index, new Unreadable(reading.message.replace('The body', 'The element')))
    remaining = `${remaining.slice(0, start)}null${remaining.slice(end)}`
  }
  const reading = readText(remaining)
  if (!reading.ok || unreadable.size === 0) return reading
  const list = (reading.value as Record<string, unknown[]>)[field]!
  for (const [index, problem] of unreadable) list[index] = problem
  return reading
}

function decode(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function readText(text: string, depth = 0): JsonReading {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return refuse('The body is not valid JSON.')
  }
  const shape = checkShape(text, text.includes('\\'), depth)
  if (shape !== null) return refuse(shape)
  // Only escapes can contain NUL or surrogates here; the decoder rejected raw ones.
  if (text.includes('\\u') || text.includes('__proto__')) {
    const problem = checkStrings(value)
    if (problem !== null) return refuse(problem)
  }
  return { ok: true, value }
}

function refuse(message: string): JsonReading {
  return { ok: false, message }
}

const QUOTE = 34
const BACKSLASH = 92
const OPEN_OBJECT = 123
const OPEN_ARRAY = 91
const CLOSE_OBJECT = 125
const CLOSE_ARRAY = 93

/** Single pass over valid JSON, skipping strings: checks depth and the length of number literals. */
function checkShape(text: string, hasEscapes: boolean, outerDepth: number): string | null {
  let depth = outerDepth
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c === QUOTE) {
      i = hasEscapes ? endOfString(text, i) : text.indexOf('"', i + 1)
      if (i < 0) return null
    } else if (c === OPEN_OBJECT || c === OPEN_ARRAY) {
      if (++depth > MAX_DEPTH) return `The body is nested deeper than ${MAX_DEPTH} levels.`
    } else if (c === CLOSE_OBJECT || c === CLOSE_ARRAY) {
      depth--
    } else if ((c >= 48 && c <= 57) || c === 45) {
      let end = i + 1
      while (end < text.length && isNumberPart(text.charCodeAt(end))) end++
      const problem = checkNumber(text.slice(i, end))
      if (problem !== null) return problem
      i = end - 1
    }
  }
  return null
}

function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c === BACKSLASH) i++
    else if (c === QUOTE) return i
  }
  return text.length
}

function isNumberPart(c: number): boolean {
  return (c >= 48 && c <= 57) || c === 46 || c === 43 || c === 45 || c === 101 || c === 69
}

function checkNumber(literal: string): string | null {
  if (literal.length <= MAX_DIGITS) {
    if (!/e/i.test(literal) || Number.isFinite(Number(literal))) return null
    return `The number ${literal} is out of range.`
  }
  const mantissa = literal.split(/e/i, 1)[0]!
  const digits = mantissa.replace(/[-.]/g, '').replace(/^0+/, '')
  const significant = mantissa.includes('.') ? withoutTrailing(digits, '0') : digits
  if (significant.length > MAX_DIGITS)
    return `The number ${literal.slice(0, 40)} has more than ${MAX_DIGITS} significant digits; send it as a string or round it.`
  return Number.isFinite(Number(literal)) ? null : `The number ${literal.slice(0, 40)} is out of range.`
}

/** The first problem in any string of the value. */
export function checkStrings(value: unknown): string | null {
  if (typeof value === 'string') return checkText(value)
  if (Array.isArray(value)) {
    for (const item of value) {
      const problem = checkStrings(item)
      if (problem !== null) return problem
    }
    return null
  }
  if (typeof value !== 'object' || value === null) return null
  for (const key of Object.keys(value)) {
    if (key === '__proto__') return 'The field name __proto__ is not allowed.'
    const problem = checkText(key) ?? checkStrings((value as Record<string, unknown>)[key])
    if (problem !== null) return problem
  }
  return null
}

const COMMA = 44

/**
 * Offsets of the elements of the top-level list `field` in valid JSON; of duplicate keys the last is used, as in
 * JSON.parse.
 */
function elementsOf(text: string, field: string): { start: number; end: number }[] {
  let elements: { start: number; end: number }[] = []
  let depth = 0
  let key = ''
  let inList = false
  let start = 0
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c === QUOTE) {
      const end = endOfString(text, i)
      if (depth === 1 && /^\s*:/.test(text.slice(end + 1, end + 100)))
        key = JSON.parse(text.slice(i, end + 1)) as string
      i = end
    } else if (c === OPEN_OBJECT || c === OPEN_ARRAY) {
      if (++depth === 2 && c === OPEN_ARRAY && key === field) {
        inList = true
        elements = []
        start = i + 1
      }
    } else if (c === CLOSE_OBJECT || c === CLOSE_ARRAY) {
      if (depth-- === 2 && inList) {
        if (text.slice(start, i).trim() !== '') elements.push({ start, end: i })
        inList = false
      }
    } else if (c === COMMA && depth === 2 && inList) {
      elements.push({ start, end: i })
      start = i + 1
    }
  }
  return elements
}

/** Also used for query and path values. */
export function checkText(text: string): string | null {
  if (text.includes('\0')) return 'A text contains a NUL character.'
  if (!text.isWellFormed()) return 'A text contains a lone surrogate.'
  return null
}
