/** The search of the CRM, with its limits: filters by one property each, one sort, 10,000 results, an index that lags. */
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

/** Maximum number of results; tests may lower it. */
export const MAX_RESULTS = 10_000

/** Dates are compared as milliseconds, ids as numbers. */
function comparable(value: string | null | undefined): number | null {
  if (value === null || value === undefined) return null
  const number = Number(value)
  const comparableValue = Number.isNaN(number) ? Date.parse(value) : number
  return Number.isNaN(comparableValue) ? null : comparableValue
}

function matches(object: CrmObject, filter: Filter): boolean {
  const value = comparable(object.properties[filter.propertyName])
  const [low, high] = [comparable(filter.value), comparable(filter.highValue)]
  if (value === null || low === null) return false
  switch (filter.operator) {
    case 'BETWEEN':
      return high !== null && value >= low && value <= high
    case 'GT':
      return value > low
    case 'GTE':
      return value >= low
    case 'EQ':
      return value === low
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
  // The last filter is the id of the previous page, which excludes the most.
  const groups = filterGroups.map(({ filters }) => filters.toReversed())
  const sortBy = sorts[0]?.propertyName ?? 'createdate'
  const matchingObjects = objects
    .filter((object) => object.archivedAt === null && object.indexedAt <= now.getTime())
    .filter((object) => groups.some((filters) => filters.every((filter) => matches(object, filter))))
    .map((object) => ({ object, key: comparable(object.properties[sortBy]) ?? 0 }))
    .sort((a, b) => a.key - b.key)
  const page = matchingObjects.slice(start, start + limit)
  const next =
    matchingObjects.length > start + limit ? { paging: { next: { after: String(start + limit) } } } : {}
  return {
    status: 200,
    body: {
      total: matchingObjects.length,
      results: page.map(({ object }) => objectJson(type, object, properties)),
      ...next,
    },
  }
}
