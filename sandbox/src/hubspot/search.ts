/** The search of the CRM, with its limits: filters by one property each, one sort, 10,000 results, behind by a while. */
import { readJson } from '../routes.ts'
import type { SandboxReply, SandboxRequest } from '../sandbox.ts'
import { failure } from './failures.ts'
import { objectJson } from './object-json.ts'
import type { CrmObject, ObjectType } from './records.ts'

type Filter = { propertyName: string; operator: string; value?: string; highValue?: string }
type Search = {
  filterGroups?: { filters: Filter[] }[]
  sorts?: { propertyName: string; direction: string }[]
  properties?: string[]
  limit?: number
  after?: string
}

/** What a search gives at most; tests may lower it. */
export const MAX_RESULTS = 10_000

/** Dates compare as milliseconds, ids as numbers. */
function comparable(value: string | null | undefined): number | null {
  if (value === null || value === undefined) return null
  const number = Number(value)
  const found = Number.isNaN(number) ? Date.parse(value) : number
  return Number.isNaN(found) ? null : found
}

function matches(object: CrmObject, filter: Filter): boolean {
  const own = comparable(object.properties[filter.propertyName])
  const [low, high] = [comparable(filter.value), comparable(filter.highValue)]
  if (own === null || low === null) return false
  switch (filter.operator) {
    case 'BETWEEN':
      return high !== null && own >= low && own <= high
    case 'GT':
      return own > low
    case 'GTE':
      return own >= low
    case 'EQ':
      return own === low
    default:
      return false
  }
}

export function search(
  objects: readonly CrmObject[],
  type: ObjectType,
  request: SandboxRequest,
  { now, maxResults }: { now: Date; maxResults: number },
): SandboxReply {
  const { filterGroups = [], sorts = [], properties, limit = 10, after } = readJson(request) as Search
  if (limit > 200) return failure(400, 'VALIDATION_ERROR', 'limit must be at most 200')
  if (sorts.length > 1) return failure(400, 'VALIDATION_ERROR', 'Only one sort is allowed')
  const start = Number(after ?? 0)
  if (start + limit > maxResults)
    return failure(400, 'VALIDATION_ERROR', `A search is limited to ${maxResults} results`)
  // The last filter is the id of the page before, which leaves most out.
  const groups = filterGroups.map(({ filters }) => filters.toReversed())
  const sortBy = sorts[0]?.propertyName ?? 'createdate'
  const found = objects
    .filter((object) => object.archivedAt === null && object.indexedAt <= now.getTime())
    .filter((object) => groups.some((filters) => filters.every((filter) => matches(object, filter))))
    .map((object) => ({ object, key: comparable(object.properties[sortBy]) ?? 0 }))
    .sort((a, b) => a.key - b.key)
  const page = found.slice(start, start + limit)
  const next = found.length > start + limit ? { paging: { next: { after: String(start + limit) } } } : {}
  return {
    status: 200,
    body: {
      total: found.length,
      results: page.map(({ object }) => objectJson(type, object, properties)),
      ...next,
    },
  }
}
