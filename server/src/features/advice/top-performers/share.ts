/** Opens a shared link. */
import type { Service } from '../../../context.ts'
import {
  linkDeviceName,
  snapshotDeviceCookie,
  snapshotSubject,
} from '../../../platform/access/known-devices.ts'
import { limitGuesses } from '../../../platform/access/limits.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { type PageReply, type PageRequest, readForm } from '../../../platform/http/page-route.ts'
import { verifyPassword } from '../../../platform/secrets/passwords.ts'
import type { WorkspaceTopPerformerRow } from './contract.ts'
import { countView, findShared } from './queries/snapshots.ts'
import { missingPage, passwordPage, shareHeaders, snapshotPage } from './share-page.ts'
import { readShareToken } from './snapshot-rules.ts'

export async function openShared(service: Service, request: PageRequest): Promise<PageReply> {
  const id = readShareToken(service.identityPepper, request.params.token ?? '')
  const shared = id === undefined ? undefined : await findShared(service.db, { id, now: service.clock.now() })
  if (id === undefined || shared === undefined)
    return { status: 404, headers: shareHeaders, body: missingPage() }
  if (shared.password_hash !== null) {
    const refusal = await requirePassword(service, request, id, shared.password_hash)
    if (refusal !== null) return refusal
  }
  await countView(service.db, { id })
  const content = shared.content as { as_of: string | null; ads: WorkspaceTopPerformerRow[] }
  const page = snapshotPage({
    name: shared.name,
    window: shared.score_window,
    capturedAt: shared.captured_at,
    asOf: content.as_of,
    ads: content.ads,
  })
  if (shared.password_hash === null) return { status: 200, headers: shareHeaders, body: page }
  return { status: 200, headers: shareHeaders, cookies: [snapshotDeviceCookie(service, id)], body: page }
}

/** Null if the password is correct. */
async function requirePassword(
  service: Service,
  request: PageRequest,
  id: string,
  stored: string,
): Promise<PageReply | null> {
  if (request.method !== 'POST') return { status: 200, headers: shareHeaders, body: passwordPage(null) }
  try {
    await limitGuesses(service, {
      subject: snapshotSubject(id),
      ip: request.ip,
      device: request.cookie(linkDeviceName(service, id)),
      message: 'Too many attempts; try again in 15 minutes.',
    })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { status: 429, headers: shareHeaders, body: passwordPage(error.message) }
  }
  const isRight = await verifyPassword(stored, readForm(request)?.password ?? '')
  return isRight ? null : { status: 403, headers: shareHeaders, body: passwordPage('Wrong password.') }
}
