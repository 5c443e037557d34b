import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { CreatedAt, Instant, Name, UpdatedAt } from '../../../platform/contract/fields.ts'
import { tableNames } from './tables.ts'

const tag = 'data-exports'
const reads = { kind: 'profile', scopes: ['exports:read'] } as const
const writes = { kind: 'profile', scopes: ['exports:write'] } as const

const TableName = z.enum(tableNames)
const Schedule = z.enum(['hourly', 'daily', 'on_demand']).describe('How often the tables are written')
const params = z.object({ id: z.uuid().describe('Id of the destination') })

const folder = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, 'lower-case letters, digits, - and _')
  .describe('Folder inside the profile’s folder in DATA_EXPORT_DIR')
const location = {
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
  path_style: z.boolean().describe('Put the bucket in the path instead of the host name'),
  server_side_encryption: z
    .enum(['AES256', 'aws:kms'])
    .nullable()
    .describe('Encryption header sent with every file; null: none'),
}
const keys = {
  access_key_id: z
    .string()
    .regex(/^[\x21-\x7e]{1,128}$/, 'visible characters')
    .describe('Access key of a user that may write and delete under the prefix'),
  secret_access_key: z
    .string()
    .regex(/^[\x21-\x7e]{1,256}$/, 'visible characters')
    .describe('Stored encrypted and never returned'),
}

export const DataDestination = z.object({
  id: z.uuid().describe('Id of the destination'),
  kind: z.enum(['file', 's3']).describe('Storage service that receives the files'),
  name: z.string().describe('Name of the destination, as people see it'),
  target: z
    .union([
      z.object({ folder: z.string().describe('Folder in which the files are written') }),
      z.object(location),
    ])
    .describe('Without the access keys'),
  tables: z.array(TableName).describe('Empty: every table'),
  include_identifiers: z
    .boolean()
    .describe('Include SHA-256 hashes of email addresses and phone numbers in `identities`'),
  schedule: Schedule,
  enabled: z.boolean().describe('Whether it is enabled'),
  next_run_at: Instant.nullable().describe('Null if runs are only started on demand'),
  last_completed_at: Instant.nullable().describe('End of the last run that completed; null if none did'),
  last_error: z.string().nullable().describe('Why the last run failed; null if it succeeded'),
  files: z.int().describe('Number of files in the manifest'),
  bytes: z.int().describe('Total size of these files'),
  erasures_waiting: z
    .int()
    .describe('People erased since the last completed run; files may still contain them'),
  created_at: CreatedAt,
  updated_at: UpdatedAt,
})
export type DataDestination = z.infer<typeof DataDestination>

const options = {
  name: Name.describe('Name of the destination, as people see it'),
  tables: z.array(TableName).max(tableNames.length).describe('Tables of the export'),
  include_identifiers: z.boolean().describe('True to include hashed identifiers'),
  schedule: Schedule,
  enabled: z.boolean().describe('Whether it is enabled'),
}
const newOptions = {
  name: options.name,
  tables: options.tables.default([]),
  include_identifiers: options.include_identifiers.default(false),
  schedule: options.schedule.default('daily'),
  enabled: options.enabled.default(true),
}

export const NewDataDestination = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('file').describe('Storage service that receives the files'),
    target: z.strictObject({ folder }).describe('Bucket and folder that receive the files'),
    ...newOptions,
  }),
  z.strictObject({
    kind: z.literal('s3').describe('Storage service that receives the files'),
    target: z
      .strictObject({
        ...location,
        ...keys,
        prefix: location.prefix.default(''),
        path_style: location.path_style.default(false),
        server_side_encryption: location.server_side_encryption
          .default(null)
          .describe('Encryption header sent with every file; null: none'),
      })
      .describe('Bucket and folder that receive the files'),
    ...newOptions,
  }),
])
export type NewDataDestination = z.infer<typeof NewDataDestination>

export const listDataDestinations = endpoint({
  name: 'listDataDestinations',
  method: 'GET',
  path: '/data-exports/destinations',
  summary: 'Destinations of the profile’s data exports',
  description:
    'Each with its schedule, its last run and the size of its files. Access keys are never returned.',
  tag,
  access: reads,
  reply: z.array(DataDestination),
})

export const createDataDestination = endpoint({
  name: 'createDataDestination',
  fresh: true,
  method: 'POST',
  path: '/data-exports/destinations',
  summary: 'Create a destination that receives all tables as Parquet files',
  description:
    'A folder or an S3-compatible store. Requires an owner or admin of the workspace; all owners are notified by mail. Not allowed with identifiers on healthcare profiles. At most 20 per profile.',
  tag,
  access: writes,
  refusesApps: true,
  body: NewDataDestination,
  reply: DataDestination,
  statuses: [201],
  errors: ['forbidden', 'invalid_state', 'validation_error'],
  example: { body: { kind: 'file', name: 'Warehouse', target: { folder: 'warehouse' } } },
})

export const updateDataDestination = endpoint({
  name: 'updateDataDestination',
  fresh: true,
  method: 'PATCH',
  path: '/data-exports/destinations/{id}',
  summary: 'Change, enable or disable a destination',
  description:
    'Omitted fields keep their values. The folder or store itself does not change. Requires an owner or admin, except for `enabled: false`.',
  tag,
  access: writes,
  params,
  body: z.strictObject({
    name: options.name.optional().describe('Name of the destination, as people see it'),
    tables: options.tables.optional().describe('Tables of the export'),
    include_identifiers: options.include_identifiers
      .optional()
      .describe('True to include hashed identifiers'),
    schedule: options.schedule.optional(),
    enabled: options.enabled.optional().describe('Whether it is enabled'),
    keys: z.strictObject(keys).optional().describe('New access keys of a store'),
  }),
  reply: DataDestination,
  errors: ['not_found', 'forbidden', 'invalid_state', 'validation_error'],
})

export const deleteDataDestination = endpoint({
  name: 'deleteDataDestination',
  method: 'DELETE',
  path: '/data-exports/destinations/{id}',
  summary: 'Delete a destination',
  description: 'Its access keys are deleted. Files that were written stay; they belong to the business.',
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
  summary: 'Test a destination by writing and removing a small file',
  description: 'Returns whether it worked and, if not, the error of the folder or store.',
  tag,
  access: writes,
  params,
  reply: z.object({
    ok: z.boolean().describe('Whether it succeeded'),
    error: z.string().nullable().describe('Why it failed; null if it succeeded'),
  }),
  errors: ['not_found'],
})

export const DataRun = z.object({
  id: z.uuid().describe('Id of the run'),
  destination_id: z.uuid().describe('Id of the export destination'),
  full: z.boolean().describe('True if all days were written, not only changed ones'),
  status: z
    .enum(['queued', 'running', 'completed', 'failed'])
    .describe('A failed run leaves the last manifest in place'),
  tables: z
    .array(
      z.object({
        table: TableName.describe('Name of the table'),
        rows: z.int().describe('Number of rows written'),
        bytes: z.int().describe('Size of the files in bytes'),
        files: z.int().describe('Files that were written'),
        days: z.array(z.string()).describe('Days written, at most 400; empty for tables without days'),
        days_written: z.int().describe('Number of days with new files'),
        days_removed: z.int().describe('Number of days that no longer have rows'),
      }),
    )
    .describe('Tables that were written; unchanged tables are absent'),
  erasures: z
    .int()
    .describe('People erased since the previous run; if any, replaced files were removed immediately'),
  error: z.string().nullable().describe('Why the run failed; null if it did not'),
  created_at: CreatedAt,
  started_at: Instant.nullable().describe('When it started; null until then'),
  finished_at: Instant.nullable().describe('When it ended; null until then'),
})
export type DataRun = z.infer<typeof DataRun>

export const startDataRun = endpoint({
  name: 'startDataRun',
  fresh: true,
  method: 'POST',
  path: '/data-exports/runs',
  summary: 'Start a data export of what changed, or of everything',
  description:
    'Returns the queued run. If a run of the destination is already queued or running, that run is returned.',
  tag,
  access: writes,
  body: z.strictObject({
    destination_id: z.uuid().describe('Destination to write to'),
    full: z.boolean().default(false).describe('Write every file again, not only changed days'),
  }),
  reply: DataRun,
  statuses: [202],
  errors: ['not_found', 'invalid_state'],
})

export const listDataRuns = endpoint({
  name: 'listDataRuns',
  method: 'GET',
  path: '/data-exports/runs',
  summary: 'The last 50 data export runs',
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
  summary: 'One data export run: status, rows, bytes and days written',
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
  summary: 'The columns of every exported table',
  description: 'With type and meaning. Files have exactly these columns.',
  tag,
  access: reads,
  reply: z.object({
    version: z.int().describe('Increases when the meaning of a column changes'),
    tables: z
      .array(
        z.object({
          name: TableName.describe('Name of the table'),
          about: z.string().describe('Description of the content'),
          by_day: z.boolean().describe('One folder per day'),
          columns: z
            .array(
              z.object({
                name: z.string().describe('Name of the column'),
                type: z.string().describe('Type of the column’s values'),
                nullable: z.boolean().describe('Whether it can be null'),
                about: z.string().describe('Description of the content'),
              }),
            )
            .describe('Columns of the table'),
        }),
      )
      .describe('Tables of the export'),
  }),
})
