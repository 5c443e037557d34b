import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { Instant, Name } from '../../../platform/contract/fields.ts'
import { tableNames } from './tables.ts'

const tag = 'data-exports'
const reads = { kind: 'profile', scopes: ['exports:read'] } as const
const writes = { kind: 'profile', scopes: ['exports:write'] } as const

const TableName = z.enum(tableNames)
const Schedule = z.enum(['hourly', 'daily', 'on_demand']).describe('When the tables are written')
const params = z.object({ id: z.uuid() })

const folder = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, 'lower-case letters, digits, - and _')
  .describe('Below the profile’s folder in DATA_EXPORT_DIR')
const place = {
  endpoint: z.string().max(300).describe('Address of the store, such as https://s3.eu-west-1.amazonaws.com'),
  region: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/, 'such as eu-west-1')
    .describe('Region that requests are signed for'),
  bucket: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'the name of a bucket')
    .describe('Name of the bucket'),
  prefix: z
    .string()
    .regex(/^([A-Za-z0-9_=-]+(\/[A-Za-z0-9_=-]+)*)?$/, 'a path such as whence/shop')
    .max(200)
    .describe('Path inside the bucket; empty for its root'),
  path_style: z.boolean().describe('Bucket in the path instead of the host name'),
  server_side_encryption: z.enum(['AES256', 'aws:kms']).nullable().describe('Header sent with every file'),
}
const keys = {
  access_key_id: z
    .string()
    .regex(/^[\x21-\x7e]{1,128}$/, 'visible characters')
    .describe('Key of a user that may write and delete below the prefix'),
  secret_access_key: z
    .string()
    .regex(/^[\x21-\x7e]{1,256}$/, 'visible characters')
    .describe('Sealed, and never shown again'),
}

export const DataDestination = z.object({
  id: z.uuid(),
  kind: z.enum(['file', 's3']),
  name: z.string(),
  target: z.union([z.object({ folder: z.string() }), z.object(place)]).describe('Without keys'),
  tables: z.array(TableName).describe('Empty: every table'),
  include_identifiers: z
    .boolean()
    .describe('SHA-256 of email addresses and phone numbers are in `identities`'),
  schedule: Schedule,
  enabled: z.boolean(),
  next_run_at: Instant.nullable().describe('Null where a person starts each run'),
  last_completed_at: Instant.nullable().describe('End of the last run that completed'),
  last_error: z.string().nullable().describe('Why the last run failed; null if it did not'),
  files: z.int().describe('In the manifest'),
  bytes: z.int().describe('Of these files'),
  erasures_waiting: z
    .int()
    .describe('People erased since the last run that completed; files may still contain them'),
  created_at: Instant,
  updated_at: Instant,
})
export type DataDestination = z.infer<typeof DataDestination>

const options = {
  name: Name,
  tables: z.array(TableName).max(tableNames.length),
  include_identifiers: z.boolean(),
  schedule: Schedule,
  enabled: z.boolean(),
}
const newOptions = {
  name: options.name,
  tables: options.tables.default([]),
  include_identifiers: options.include_identifiers.default(false),
  schedule: options.schedule.default('daily'),
  enabled: options.enabled.default(true),
}

export const NewDataDestination = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('file'), target: z.strictObject({ folder }), ...newOptions }),
  z.strictObject({
    kind: z.literal('s3'),
    target: z.strictObject({
      ...place,
      ...keys,
      prefix: place.prefix.default(''),
      path_style: place.path_style.default(false),
      server_side_encryption: place.server_side_encryption.default(null),
    }),
    ...newOptions,
  }),
])
export type NewDataDestination = z.infer<typeof NewDataDestination>

export const listDataDestinations = endpoint({
  name: 'listDataDestinations',
  method: 'GET',
  path: '/data-exports/destinations',
  summary: 'Where the profile’s tables are written',
  description:
    'Each with its schedule, its last run and the size of its files; keys of stores are never returned.',
  tag,
  access: reads,
  reply: z.array(DataDestination),
})

export const createDataDestination = endpoint({
  name: 'createDataDestination',
  method: 'POST',
  path: '/data-exports/destinations',
  summary: 'Write all tables as Parquet to a folder or an S3-compatible store',
  description:
    'A decision of an owner or admin of the workspace; all owners get a mail. Healthcare profiles include no identifiers. At most 20 per profile.',
  tag,
  access: writes,
  body: NewDataDestination,
  reply: DataDestination,
  statuses: [201],
  errors: ['forbidden', 'invalid_state', 'validation_error'],
  example: { body: { kind: 'file', name: 'Warehouse', target: { folder: 'warehouse' } } },
})

export const updateDataDestination = endpoint({
  name: 'updateDataDestination',
  method: 'PATCH',
  path: '/data-exports/destinations/{id}',
  summary: 'Change or switch a destination',
  description:
    'Fields that are left out keep their values; the place itself stays. An owner or admin decides all but `enabled: false`.',
  tag,
  access: writes,
  params,
  body: z.strictObject({
    name: options.name.optional(),
    tables: options.tables.optional(),
    include_identifiers: options.include_identifiers.optional(),
    schedule: options.schedule.optional(),
    enabled: options.enabled.optional(),
    keys: z.strictObject(keys).optional().describe('New keys of a store'),
  }),
  reply: DataDestination,
  errors: ['not_found', 'forbidden', 'invalid_state', 'validation_error'],
})

export const deleteDataDestination = endpoint({
  name: 'deleteDataDestination',
  method: 'DELETE',
  path: '/data-exports/destinations/{id}',
  summary: 'Write nothing more to a destination',
  description: 'Files that are there stay; they belong to the business. Its keys are deleted.',
  tag,
  access: writes,
  params,
  reply: z.null(),
  statuses: [204],
  errors: ['not_found', 'invalid_state'],
})

export const testDataDestination = endpoint({
  name: 'testDataDestination',
  method: 'POST',
  path: '/data-exports/destinations/{id}/test',
  summary: 'Write and remove a small file at a destination',
  description: 'Answers whether it worked, with the reason of the folder or store if it did not.',
  tag,
  access: writes,
  params,
  reply: z.object({ ok: z.boolean(), error: z.string().nullable().describe('Why it failed') }),
  errors: ['not_found'],
})

export const DataRun = z.object({
  id: z.uuid(),
  destination_id: z.uuid(),
  full: z.boolean(),
  status: z
    .enum(['queued', 'running', 'completed', 'failed'])
    .describe('A run that failed leaves the last manifest in place'),
  tables: z
    .array(
      z.object({
        table: TableName,
        rows: z.int(),
        bytes: z.int(),
        files: z.int(),
        days: z.array(z.string()).describe('Days written, at most 400; empty for tables without days'),
        days_written: z.int().describe('How many days got new files'),
        days_removed: z.int().describe('How many days have no rows any more'),
      }),
    )
    .describe('What was written; tables without changes are absent'),
  erasures: z
    .int()
    .describe('People erased since the run before; the files that it replaced were removed at once'),
  error: z.string().nullable().describe('Why it failed'),
  created_at: Instant,
  started_at: Instant.nullable(),
  finished_at: Instant.nullable(),
})
export type DataRun = z.infer<typeof DataRun>

export const startDataRun = endpoint({
  name: 'startDataRun',
  method: 'POST',
  path: '/data-exports/runs',
  summary: 'Write what changed, or everything',
  description:
    'Answers at once with the run; a run of the destination that is under way is returned instead of a second one.',
  tag,
  access: writes,
  body: z.strictObject({
    destination_id: z.uuid().describe('Where to write'),
    full: z.boolean().default(false).describe('Every file again, not only days that changed'),
  }),
  reply: DataRun,
  statuses: [202],
  errors: ['not_found', 'invalid_state'],
})

export const listDataRuns = endpoint({
  name: 'listDataRuns',
  method: 'GET',
  path: '/data-exports/runs',
  summary: 'The last 50 runs',
  description: 'Newest first, of one destination or of all.',
  tag,
  access: reads,
  query: z.object({ destination_id: z.uuid().optional().describe('Only runs of this destination') }),
  reply: z.array(DataRun),
})

export const getDataRun = endpoint({
  name: 'getDataRun',
  method: 'GET',
  path: '/data-exports/runs/{id}',
  summary: 'One run: status, rows, bytes and days written',
  description: 'Poll it after starting a run, or subscribe to `data_export.completed`.',
  tag,
  access: reads,
  params,
  reply: DataRun,
  errors: ['not_found'],
})

export const getDataSchema = endpoint({
  name: 'getDataSchema',
  method: 'GET',
  path: '/data-exports/schema',
  summary: 'The columns of every table',
  description: 'With types and meaning; every file is written from the same list.',
  tag,
  access: reads,
  reply: z.object({
    version: z.int().describe('Moves when a column changes its meaning'),
    tables: z.array(
      z.object({
        name: TableName,
        about: z.string(),
        by_day: z.boolean().describe('One folder per day'),
        columns: z.array(
          z.object({ name: z.string(), type: z.string(), nullable: z.boolean(), about: z.string() }),
        ),
      }),
    ),
  }),
})
