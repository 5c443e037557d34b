/** Differences of two values, by the innermost members that differ. */
import { isDeepStrictEqual } from 'node:util'

export type Difference = { where: string; expected: unknown; got: unknown }

export class Differences {
  readonly all: Difference[] = []

  check(where: string, expected: unknown, got: unknown): void {
    if (isDeepStrictEqual(expected, got)) return
    if (!isRecord(expected) || !isRecord(got)) this.all.push({ where, expected, got })
    else
      for (const key of new Set([...Object.keys(expected), ...Object.keys(got)]))
        this.check(`${where} › ${key}`, expected[key], got[key])
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
