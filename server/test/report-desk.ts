/** An agency with one profile that has figures in May 2026 and one without, with helpers for its tests. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { putBranding } from '../src/features/account/branding/contract.ts'
import {
  generateReports,
  getReportsHub,
  patchSchedules,
} from '../src/features/sharing/client-reports/contract.ts'
import { clientReportJobs } from '../src/features/sharing/client-reports/jobs.ts'
import { makeAdWorld } from './ad-world.ts'
import { startTestApp } from './app.ts'
import { drainJobs, runSchedule } from './jobs.ts'
import { makeKey, makePerson, makeProfile, makeWorkspace } from './make.ts'

export const days = { date_from: '2026-05-01', date_to: '2026-05-31' }
export type ReportDesk = Awaited<ReturnType<typeof openReportDesk>>

export async function openReportDesk(settings: Record<string, string> = {}) {
  const app = await startTestApp(settings)
  const owner = await makePerson(app, 'Owner')
  const params = { workspaceId: await makeWorkspace(owner, 'agency') }
  const profileId = await makeProfile(owner, params.workspaceId, { name: 'Hazel & Pine' })
  const emptyProfileId = await makeProfile(owner, params.workspaceId, { name: 'Nothing yet' })
  const key = await makeKey(app, profileId, ['events:write', 'campaigns:read', 'conversions:read'])
  await makeAdWorld(app, profileId, app.as(key))
  await owner.call(putBranding, {
    params,
    body: { display_name: 'Acme Agency', primary_color: '#7a3cff' },
  })

  const hub = async () => (await owner.call(getReportsHub, { params })).data
  const patch = (fields: Record<string, unknown>, profiles: string[] | 'all' = [profileId]) =>
    owner.call(patchSchedules, { params, body: { profile_ids: profiles, patch: fields } })
  return {
    app,
    owner,
    params,
    profileId,
    emptyProfileId,
    hub,
    patch,
    drain: () => drainJobs(app.service, clientReportJobs),
    reportOf: async (id: string) => (await hub()).reports.find((report) => report.id === id)!,
    async generate(body: Record<string, unknown> = {}) {
      const request = { ...days, profile_ids: [profileId], ...body }
      const { data } = await owner.call(generateReports, { params, body: request })
      return data.reports[0]!.report_id
    },
    async download(id: string): Promise<{ type: string | null; bytes: Buffer }> {
      const url = `${app.baseUrl}/api/v1/workspaces/${params.workspaceId}/reports/${id}/download`
      const reply = await fetch(url, { headers: { authorization: `Bearer ${owner.token}` } })
      return { type: reply.headers.get('content-type'), bytes: Buffer.from(await reply.arrayBuffer()) }
    },
    /** Mails to the address, parsed by an independent library. */
    async inbox(address: string) {
      const folder = join(app.service.config.DATA_DIR, 'outbox')
      const files = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml')).sort()
      const mails = await Promise.all(
        files.map(async (name) => PostalMime.parse(await readFile(join(folder, name)))),
      )
      return mails.filter((mail) => mail.to?.some((to) => to.address === address))
    },
    /** Makes the schedule due; the report then covers the days with data. */
    async comeDue() {
      await app.pool.query(
        "update report_schedules set next_run_at = now() - interval '1 minute' where profile_id = $1",
        [profileId],
      )
      await runSchedule(app.service, clientReportJobs, 'client_reports.start_due')
      await app.pool.query(
        "update client_reports set date_from = '2026-05-01', date_to = '2026-05-31' where scheduled_for is not null",
      )
      return (await hub()).reports.filter((report) => report.is_scheduled)[0]!
    },
  }
}
