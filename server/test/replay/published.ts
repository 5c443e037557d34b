/** Published material, unchanged; README.md lists the sources. */
import { readFileSync } from 'node:fs'
import type { SyncRecord } from '../../src/connectors/connector.ts'

export const published = <T>(path: string): T =>
  JSON.parse(readFileSync(new URL(`./${path}`, import.meta.url), 'utf8')) as T

/** A record without the provider's unmapped fields. */
export const withoutAside = <R extends SyncRecord>({ aside: _aside, ...record }: R): Omit<R, 'aside'> =>
  record
