/** Everything that a tenant can create repeatedly has a limit per tenant. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createApiKey, createUserToken } from '../src/features/account/api-keys/contract.ts'
import { createOAuthApp } from '../src/features/account/apps/contract.ts'
import { createWorkspace } from '../src/features/account/workspaces/contract.ts'
import { createGeoExperiment, designGeoExperiment } from '../src/features/advice/experiments/contract.ts'
import { captureSnapshot } from '../src/features/advice/top-performers/contract.ts'
import { createGoal } from '../src/features/corrections/goals/contract.ts'
import { createAnnotation } from '../src/features/insights/annotations/contract.ts'
import { saveView } from '../src/features/insights/saved-views/contract.ts'
import { createDataDestination } from '../src/features/outgoing/data-exports/contract.ts'
import { createExportDestination } from '../src/features/outgoing/exports/destinations/contract.ts'
import { createWebhookSubscription } from '../src/features/outgoing/webhooks/contract.ts'
import { createAlert } from '../src/features/sharing/alerts/contract.ts'
import { createBriefWebhook } from '../src/features/sharing/briefs/contract.ts'
import { generateReports } from '../src/features/sharing/client-reports/contract.ts'
import { createLiveLink } from '../src/features/sharing/live-links/contract.ts'
import { createManualStore } from '../src/features/sources/manual-stores/contract.ts'
import { createShortLink } from '../src/features/sources/short-links/contract.ts'
import { createTrackingDomain, startVerification } from '../src/features/sources/tracking/contract.ts'
import { addDays } from '../src/platform/contract/dates.ts'
import { tenantLimits } from '../src/platform/contract/tenant-limits.ts'
import { localDay } from '../src/platform/contract/zones.ts'
import { startTestApp, type TestApp } from './app.ts'
import { makeApp, makeOwnProfile, type OwnProfile, type PartnerApp, refusalOf } from './make.ts'
import { plantSeries } from './planted/experiments.ts'
import { plantRegionDays } from './planted/region-days.ts'

let app: TestApp
let full: OwnProfile
let other: OwnProfile
let partner: PartnerApp
beforeAll(async () => {
  app = await startTestApp()
  const scopes = [
    'analytics:read',
    'campaigns:read',
    'tracking:write',
    'exports:write',
    'connections:write',
    'webhooks:write',
  ] as const
  full = await makeOwnProfile(app, scopes)
  other = await makeOwnProfile(app, scopes)
  partner = await makeApp(app, full.workspaceId)
})
afterAll(() => app.close())

type Row = {
  /** Inserts `$2` rows of the tenant `$1` as if they had been created one by one. */
  fill: string
  /** Rows that the tenant `$1` has initially. */
  existing?: string
  tenant: (profile: OwnProfile) => string
  create: (profile: OwnProfile, n: number) => Promise<unknown>
}
/** A history that supports a geo study, and the study designed from it. */
async function designStudy({ profileId, call }: OwnProfile) {
  const today = localDay(app.service.clock.now(), 'Europe/Madrid')
  for (const { region, days } of plantSeries({ regions: 9, days: 150, sales: 10 }, 4))
    await plantRegionDays(app.pool, profileId, region, addDays(today, -150), days)
  const { data } = await call(designGeoExperiment, { query: {} })
  const [treated, control] = [data.treated, data.control].map((list) => list.map(({ region }) => region))
  const study = { name: 'One more', metric: 'payments', days: 14, starts_on: today } as const
  return { ...study, treated: treated!, control: control! }
}
const studies = new Map<OwnProfile, ReturnType<typeof designStudy>>()

const ofProfile = ({ profileId }: OwnProfile) => profileId

const rows: Record<keyof typeof tenantLimits, Row> = {
  alerts: {
    fill: `insert into alert_rules (profile_id, id, name, kind, created_at, updated_at)
      select $1, gen_random_uuid(), 'Findings', 'finding', now(), now() from generate_series(1, $2::int)`,
    tenant: ofProfile,
    create: ({ call }) =>
      call(createAlert, { body: { name: 'One more', condition: { kind: 'finding', check_id: null } } }),
  },
  api_keys: {
    fill: `insert into credentials (id, kind, lookup_hash, hint, name, profile_id, scopes, created_at)
      select gen_random_uuid(), 'api_key', decode(md5($1 || n), 'hex'), '', 'Key', $1::uuid, '{}', now()
      from generate_series(1, $2::int) as n`,
    existing: "select id from credentials where kind = 'api_key' and profile_id = $1",
    tenant: ofProfile,
    create: ({ owner, workspaceId, profileId }) =>
      owner.call(createApiKey, {
        params: { workspaceId },
        body: { profile_id: profileId, name: 'One more', scopes: ['campaigns:read'] },
      }),
  },
  annotations: {
    fill: `insert into annotations (profile_id, id, day, text, created_at, updated_at)
      select $1, gen_random_uuid(), '2026-05-01', 'Sale', now(), now() from generate_series(1, $2::int)`,
    tenant: ofProfile,
    create: ({ call }) => call(createAnnotation, { body: { day: '2026-05-02', text: 'Sale' } }),
  },
  brief_webhooks: {
    fill: `insert into brief_receivers (profile_id, id, kind, name, host, url, cadence, weekday, time, language,
        created_by, created_at)
      select $1, gen_random_uuid(), 'slack', 'Channel', 'example.com', '', 'never', 1, '08:00', 'en', gen_random_uuid(), now()
      from generate_series(1, $2::int)`,
    tenant: ofProfile,
    create: ({ owner, workspaceId, profileId }) =>
      owner.call(createBriefWebhook, {
        params: { workspaceId },
        body: { profile_id: profileId, kind: 'slack', name: 'One more', url: 'https://example.com/hook' },
      }),
  },
  data_export_destinations: {
    fill: `insert into data_export_destinations (profile_id, id, kind, name, target, tables, include_identifiers, schedule,
        enabled, created_at, updated_at)
      select $1, gen_random_uuid(), 'file', 'Folder', jsonb_build_object('folder', 'f' || n), '{}', false, 'daily', true, now(), now()
      from generate_series(1, $2::int) as n`,
    tenant: ofProfile,
    create: ({ owner, profileId }, n) =>
      owner.call(createDataDestination, {
        query: { profile_id: profileId },
        body: {
          kind: 's3',
          name: `One more ${n}`,
          target: {
            endpoint: 'https://s3.example.com',
            region: 'eu-west-1',
            bucket: `one-more-${n}`,
            access_key_id: 'key',
            secret_access_key: 'secret',
          },
        },
      }),
  },
  export_destinations: {
    fill: `insert into export_destinations (profile_id, id, kind, target_id, destination_key, display_name, enabled, retries,
        enabled_at, event_map, created_at, updated_at)
      select $1, gen_random_uuid(), 'shortvideo', 'C' || n, 'shortvideo C' || n, 'Pixel', true, 0, now(), '{}', now(), now()
      from generate_series(1, $2::int) as n`,
    tenant: ofProfile,
    create: ({ call }, n) =>
      call(createExportDestination, {
        body: { kind: 'shortvideo', shortvideo_pixel_code: `CONEMORE${n}`, access_token: 'token' },
      }),
  },
  geo_studies: {
    fill: `insert into experiments (profile_id, id, provider, external_id, kind, name, starts_at, ends_at, cells, design,
        updated_at)
      select $1, gen_random_uuid(), 'own', n::text, 'geo', 'Study', now(), now(), '[]', '{}', now()
      from generate_series(1, $2::int) as n`,
    tenant: ofProfile,
    create: async (profile) => {
      const study = studies.get(profile) ?? designStudy(profile)
      studies.set(profile, study)
      return profile.call(createGeoExperiment, { body: await study })
    },
  },
  goals: {
    fill: `insert into goals (profile_id, id, display_name, conversion_key, source_event_names, outcome_type,
        revenue_type, attribution_eligible, created_at)
      select $1, gen_random_uuid(), 'Goal', 'key_' || n, '{x}', 'other', 'pipeline', true, now()
      from generate_series(1, $2::int) as n`,
    existing: 'select id from goals where profile_id = $1',
    tenant: ofProfile,
    create: ({ call }, n) =>
      call(createGoal, {
        body: {
          display_name: 'One more',
          conversion_key: `one_more_${n}`,
          source_event_names: ['one_more'],
          outcome_type: 'one_more',
          revenue_type: 'pipeline',
        },
      }),
  },
  saved_views: {
    fill: `insert into saved_views (profile_id, id, user_id, page, name, "values", shared, updated_at)
      select p.id, gen_random_uuid(), w.created_by_user_id, 'campaigns', 'View ' || n, '{}', false, now()
      from profiles p join workspaces w on w.id = p.workspace_id, generate_series(1, $2::int) as n where p.id = $1`,
    tenant: ofProfile,
    create: ({ owner, profileId }, n) =>
      owner.call(saveView, {
        query: { profile_id: profileId },
        body: { name: `One more ${n}`, values: {} },
      }),
  },
  shared_views: {
    fill: `insert into saved_views (profile_id, id, user_id, page, name, "values", shared, updated_at)
      select $1, gen_random_uuid(), gen_random_uuid(), 'campaigns', 'View', '{}', true, now()
      from generate_series(1, $2::int)`,
    tenant: ofProfile,
    create: ({ call }, n) => call(saveView, { body: { name: `Shared ${n}`, values: {}, shared: true } }),
  },
  report_mails: {
    fill: `with report as (
        insert into client_reports (profile_id, id, batch_id, period, date_from, date_to, model, format, language,
          sends, needs_approval, status, created_at)
        values ($1, gen_random_uuid(), gen_random_uuid(), 'custom', '2026-05-01', '2026-05-02', 'last_touch', 'pdf',
          'en', true, false, 'ready', now())
        returning profile_id, id)
      insert into client_report_mails (profile_id, id, report_id, recipient, status)
      select profile_id, gen_random_uuid(), id, n || '@example.com', 'sent' from report, generate_series(1, $2::int) as n`,
    tenant: ofProfile,
    create: ({ owner, workspaceId }) =>
      owner.call(generateReports, {
        params: { workspaceId },
        body: { period: 'last_month', send: true, recipients: ['client@example.com'] },
      }),
  },
  install_checks: {
    fill: `insert into tracking_verifications (profile_id, id, token, url, status, started_at, expires_at)
      select $1, gen_random_uuid(), n::text, 'https://shop.example/', 'waiting', now(), now() + interval '1 hour'
      from generate_series(1, $2::int) as n`,
    tenant: ofProfile,
    create: ({ call }) => call(startVerification, { body: { url: 'https://shop.example/' } }),
  },
  live_links: {
    fill: `insert into live_links (profile_id, id, name, reports, period, model, language, created_by, created_at, expires_at)
      select $1, gen_random_uuid(), 'Client', '{summary}', 'last_7_days', 'last_touch', 'en', gen_random_uuid(), now(),
        now() + interval '30 days'
      from generate_series(1, $2::int)`,
    tenant: ofProfile,
    create: ({ owner, workspaceId, profileId }) =>
      owner.call(createLiveLink, {
        params: { workspaceId },
        body: { profile_id: profileId, name: 'One more' },
      }),
  },
  manual_stores: {
    fill: `insert into manual_stores (profile_id, id, shop, created_at, updated_at)
      select $1, gen_random_uuid(), 'shop-' || n, now(), now() from generate_series(1, $2::int) as n`,
    tenant: ofProfile,
    create: ({ call }, n) => call(createManualStore, { body: { shop: `one-more-${n}` } }),
  },
  oauth_apps: {
    fill: `insert into apps (id, workspace_id, client_id, name, redirect_uris, allowed_return_origins, allowed_scopes,
        created_at, updated_at)
      select gen_random_uuid(), $1::text::uuid, $1::text || n, 'App', '{}', '{}', '{}', now(), now() from generate_series(1, $2::int) as n`,
    existing: 'select id from apps where workspace_id = $1',
    tenant: ({ workspaceId }) => workspaceId,
    create: ({ owner, workspaceId }) =>
      owner.call(createOAuthApp, { params: { workspaceId }, body: { name: 'One more' } }),
  },
  queued_reports: {
    fill: `insert into client_reports (profile_id, id, batch_id, period, date_from, date_to, model, format, language,
        sends, needs_approval, status, created_at)
      select $1, gen_random_uuid(), gen_random_uuid(), 'custom', '2026-05-01', '2026-05-02', 'last_touch', 'pdf',
        'en', false, false, 'queued', now() from generate_series(1, $2::int)`,
    existing: "select id from client_reports where status = 'queued' and profile_id = $1",
    tenant: ofProfile,
    create: ({ owner, workspaceId }) =>
      owner.call(generateReports, { params: { workspaceId }, body: { period: 'last_month' } }),
  },
  snapshots: {
    fill: `insert into performer_snapshots (id, workspace_id, name, score_window, profile_ids, captured_at, expires_at,
        result_hash, content)
      select gen_random_uuid(), $1, 'Board', '28d', '{}', now(), now() + interval '30 days', '', '{}'
      from generate_series(1, $2::int)`,
    tenant: ({ workspaceId }) => workspaceId,
    create: ({ owner, workspaceId }) =>
      owner.call(captureSnapshot, { params: { workspaceId }, body: { name: 'One more' } }),
  },
  short_links: {
    fill: `insert into short_links (profile_id, id, slug, target_url, utm, enabled, version, created_at, updated_at)
      select $1, gen_random_uuid(), 's' || n, 'https://shop.example/', '{}', true, 1, now(), now()
      from generate_series(1, $2::int) as n`,
    tenant: ofProfile,
    create: ({ call }, n) =>
      call(createShortLink, {
        body: { slug: `one-more-${n}`, chat: { app: 'chatapp', account: '34600111222' } },
      }),
  },
  tracking_domains: {
    fill: `insert into tracking_domains (profile_id, id, domain, status, created_at)
      select $1, gen_random_uuid(), 'd' || n || '.example', 'pending', now() from generate_series(1, $2::int) as n`,
    tenant: ofProfile,
    create: ({ call }, n) => call(createTrackingDomain, { body: { domain: `go${n}.shop.example` } }),
  },
  user_tokens: {
    fill: `insert into credentials (id, kind, lookup_hash, hint, name, user_id, scopes, created_at)
      select gen_random_uuid(), 'user_token', decode(md5($1 || n), 'hex'), '', 'Token', $1::uuid, '{}', now()
      from generate_series(1, $2::int) as n`,
    tenant: ({ owner }) => owner.id,
    create: ({ owner }) => owner.call(createUserToken, { body: { name: 'One more' } }),
  },
  webhook_subscriptions: {
    fill: `insert into webhook_subscriptions (profile_id, id, url, events, providers, status, secret, opens_contact,
        after_number, created_at, updated_at)
      select $1, gen_random_uuid(), 'https://example.com/', '{}', '{}', 'active', '', false, 0, now(), now()
      from generate_series(1, $2::int)`,
    tenant: ofProfile,
    create: ({ call }) =>
      call(createWebhookSubscription, {
        body: { url: 'https://example.com/hook', events: ['connection.connected'], providers: ['platform'] },
      }),
  },
  workspaces_of_app: {
    fill: `insert into workspaces (id, name, timezone, plan, acquisition_source, provisioned_by_app_id,
        created_by_user_id, created_at)
      select gen_random_uuid(), 'W', 'UTC', 'starter', 'oauth', $1, gen_random_uuid(), now()
      from generate_series(1, $2::int)`,
    tenant: () => partner.id,
    create: async (profile, n) => {
      const caller = profile === full ? partner : await makeApp(app, profile.workspaceId)
      return caller.call(createWorkspace, { body: { email: `someone-${n}@example.com` } })
    },
  },
  workspaces_of_person: {
    fill: `insert into workspaces (id, name, timezone, plan, acquisition_source, created_by_user_id, created_at)
      select gen_random_uuid(), 'W', 'UTC', 'starter', 'direct', $1, now() from generate_series(1, $2::int)`,
    existing: 'select id from workspaces where created_by_user_id = $1 and provisioned_by_app_id is null',
    tenant: ({ owner }) => owner.id,
    // A repeated creation with the same name returns the same workspace.
    create: ({ owner }, n) => owner.call(createWorkspace, { body: { name: `One more ${n}` } }),
  },
}

const names = Object.keys(rows) as (keyof typeof rows)[]
const refusal = { status: 409, code: 'invalid_state', reason: 'limit_reached' }

it.each(names)('%s are limited per tenant, also for concurrent calls', async (name) => {
  const { fill, existing, tenant, create } = rows[name]
  const before = existing === undefined ? 0 : (await app.pool.query(existing, [tenant(full)])).rowCount!
  await app.pool.query(fill, [tenant(full), tenantLimits[name].most - 1 - before])
  const outcomes = await Promise.allSettled([1, 2, 3].map((n) => create(full, n)))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await refusalOf(create(full, 4))).toMatchObject(refusal)
  await create(other, 5)
})
