/** Records responses of steps with a mail, a second person or a second workspace. */
import { generateSync } from 'otplib'
import { jobs } from '../../src/app.ts'
import { signIn } from '../../src/platform/access/contract.ts'
import { setDailyRevenue } from '../alert-world.ts'
import { authorizePartner } from '../consent-browser.ts'
import { drainJobs, runSchedule } from '../jobs.ts'
import { makeKey, makePerson, makeProfile, makeWorkspace, PASSWORD } from '../make.ts'
import { mailedToken } from '../outbox.ts'
import { makePasskey } from '../passkey.ts'
import type { World } from './record.ts'

type Row = Record<string, unknown>

/** Returns the random email addresses of created people with their replacements. */
export async function recordPeople(world: World): Promise<Record<string, string>> {
  const emails = { ...(await askMembers(world)), ...(await askMails(world)) }
  Object.assign(emails, await askFactors(world))
  await askDomains(world)
  await askReport(world, await askAlerts(world))
  const archived = await world.ask('createWorkspace', { body: { name: 'Closed shop', timezone: 'UTC' } })
  await world.ask('archiveWorkspace', { params: { workspaceId: archived.workspace_id } })
  return emails
}

/** A person signs up, verifies the address, changes it and signs in by a link. */
async function askMails({ app, ask }: World): Promise<Record<string, string>> {
  const email = 'leo@example.com'
  const mailed = async (page?: string) => {
    await drainJobs(app.service, jobs)
    return mailedToken(app, email, page)
  }
  const signedUp = await ask('signUp', { body: { email, password: PASSWORD, name: 'Leo' } })
  const as = { token: String(signedUp.token) }
  await ask('sendVerification', { as })
  await ask('confirmAddress', { as, body: { token: await mailed() } })
  await ask('changeEmail', { as, body: { email: 'leo.paz@example.com', current_password: PASSWORD } })
  await ask('requestPasswordReset', { body: { email } })
  await ask('requestSignInLink', { body: { email } })
  await ask('signInByLink', { body: { token: await mailed('sign-in-link') } })
  return {}
}

async function askMembers(world: World): Promise<Record<string, string>> {
  const { app, ask, owner, partner, workspaceId, profileId } = world
  const [editor, guest] = [await makePerson(app, 'Marta'), await makePerson(app, 'Nils')]
  await ask('inviteMember', { params: { workspaceId }, body: { email: editor.email, role: 'viewer' } })
  await ask('acceptInvitation', { as: editor, body: { token: await mailedToken(app, editor.email) } })
  await ask('putMember', { params: { workspaceId }, body: { email: editor.email, role: 'editor' } })
  await ask('inviteProfileMember', {
    params: { workspaceId, profileId },
    body: { email: guest.email, role: 'viewer' },
  })
  const { membership_id } = await ask('acceptInvitation', {
    as: guest,
    body: { token: await mailedToken(app, guest.email) },
  })
  await ask('updateProfileMember', {
    params: { workspaceId, profileId, membershipId: membership_id },
    body: { role: 'editor' },
  })
  await authorizePartner(app, partner, owner, { scope: 'attribution', profileId })
  await ask('listConnectedApps', { params: { workspaceId } })
  return { [editor.email]: 'marta@example.com', [guest.email]: 'nils@example.com' }
}

/** Domains with DNS records. */
async function askDomains({ app, ask, workspaceId }: World): Promise<void> {
  const { records } = await ask('getSenderDomain', { params: { workspaceId } })
  const zone = new Map((records as Row[]).map(({ name, value }) => [name, [String(value)]]))
  const host = new URL(app.service.config.BASE_URL).hostname
  const { dns } = app.service
  app.service.dns = {
    cnames: async () => [host],
    texts: async (name) => zone.get(name) ?? [],
  }
  await ask('verifySenderDomain', { params: { workspaceId } })
  const [domain] = (await ask('listTrackingDomains')) as unknown as Row[]
  await ask('verifyTrackingDomain', { params: { id: domain!.id } })
  app.service.dns = dns
}

/** Constant daily revenue that halves on the last day. */
async function askAlerts({ app, askWith, owner, workspaceId, keyScopes }: World): Promise<string> {
  const profileId = await makeProfile(owner, workspaceId, { name: 'Acme Seville' })
  const ask = askWith(await makeKey(app, profileId, keyScopes))
  const january = Array.from({ length: 31 }, (_, day) => `2026-01-${String(day + 1).padStart(2, '0')}`)
  await setDailyRevenue(app, profileId, { days: january, valueMinor: 50_000 })
  await setDailyRevenue(app, profileId, { days: january.slice(-1), valueMinor: 20_000 })
  await ask('createAlert', {
    body: {
      name: 'Revenue below 300',
      condition: {
        kind: 'threshold',
        metric: 'revenue',
        campaign_id: null,
        direction: 'below',
        comparison: 'value',
        threshold: 300,
        window_days: 1,
        min_conversions: 3,
      },
    },
  })
  await runSchedule(app.service, jobs, 'alerts.queue')
  await drainJobs(app.service, jobs)
  await ask('listAlertLog')
  return profileId
}

/** A report of January that waits for approval. */
async function askReport({ app, ask, workspaceId }: World, profileId: string): Promise<void> {
  const params = { workspaceId }
  await ask('patchSchedules', {
    params,
    body: {
      profile_ids: [profileId],
      patch: {
        enabled: true,
        cadence: 'monthly',
        approval: true,
        format: 'csv',
        recipients: ['client@example.com'],
      },
    },
  })
  await app.pool.query('update report_schedules set next_run_at = $2 where profile_id = $1', [
    profileId,
    new Date(app.service.clock.now().getTime() - 60_000),
  ])
  await runSchedule(app.service, jobs, 'client_reports.start_due')
  await drainJobs(app.service, jobs)
  const { reports } = await ask('getReportsHub', { params })
  const waiting = (reports as Row[]).find(({ status }) => status === 'awaiting_approval')
  await ask('approveReport', { params: { workspaceId, reportId: waiting?.id } })
}

/** A person adds an authenticator app and a passkey, and signs in with both. */
async function askFactors({ app, ask }: World): Promise<Record<string, string>> {
  const person = await makePerson(app, 'Ida')
  const as = { token: person.token }
  const workspaceId = await makeWorkspace(person)
  const codeAt = (secret: string, step: number) =>
    generateSync({ secret, epoch: Math.floor(app.service.clock.machineNow().getTime() / 1000) + 30 * step })
  const here = { origin: new URL(app.baseUrl).origin, rpId: new URL(app.baseUrl).hostname }
  const password = { email: person.email, password: PASSWORD }
  const secondFactor = async (body: Row) => {
    const { data } = await app.as()(signIn, { body: password })
    const { challenge } = (data as { second_factor: { challenge: string } }).second_factor
    return ask('finishSignIn', { body: { challenge, ...body } })
  }
  const passkey = makePasskey()
  const added = await ask('addFactor', { as, body: { kind: 'passkey', name: 'Laptop' } })
  const registration = passkey.register({ ...here, challenge: String((added.options as Row).challenge) })
  await ask('confirmFactor', { as, params: { factorId: added.id }, body: { registration } })
  const appFactor = await ask('addFactor', { as, body: { kind: 'totp', name: 'Phone' } })
  const secret = String(appFactor.secret)
  await ask('confirmFactor', { as, params: { factorId: appFactor.id }, body: { code: codeAt(secret, 0) } })
  await secondFactor({ code: codeAt(secret, 1) })
  const offered = await ask('offerPasskey')
  const assertion = passkey.assert({ ...here, challenge: String((offered.options as Row).challenge) })
  await ask('signInByPasskey', { body: { challenge: offered.challenge, assertion } })
  await ask('offerReauthentication', { as })
  await ask('getFactors', { as })
  await ask('listSessions', { as })
  await ask('updateSignInPolicy', { as, params: { workspaceId } })
  await ask('getSignInPolicy', { as, params: { workspaceId } })
  await ask('createRecoveryCodes', { as })
  return { [person.email]: 'ida@example.com', [passkey.id]: 'PASSKEY' }
}
