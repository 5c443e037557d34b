/** Unsubscribing from reports: a mail program posts to the link, a person confirms on the page first. */
import type { Service } from '../../../context.ts'
import { type Html, html } from '../../../platform/http/html.ts'
import type { PageReply, PageRequest, PageRoute } from '../../../platform/http/page-route.ts'
import { shareHeaders, shell } from '../../insights/top-performers/share-page.ts'
import { findMail, findReport, saveUnsubscribe } from './queries.ts'
import { readUnsubscribeToken } from './unsubscribe-rules.ts'

const texts = {
  en: {
    title: 'Unsubscribe',
    ask: 'You will receive no more of these reports.',
    button: 'Unsubscribe',
    doneTitle: 'You are unsubscribed',
    done: 'You will receive no more of these reports. You can close this page.',
  },
  es: {
    title: 'Darse de baja',
    ask: 'No recibirá más estos informes.',
    button: 'Darse de baja',
    doneTitle: 'Se ha dado de baja',
    done: 'No recibirá más estos informes. Puede cerrar esta página.',
  },
}

const path = '/reports/unsubscribe/{token}'

export const clientReportPages: readonly PageRoute[] = [
  { method: 'GET', path, handle: unsubscribe },
  { method: 'POST', path, bodyLimit: 4096, handle: unsubscribe },
]

async function unsubscribe(service: Service, request: PageRequest): Promise<PageReply> {
  const show = (status: number, body: Html): PageReply => ({ status, headers: shareHeaders, body })
  const found = readUnsubscribeToken(service.identityPepper, request.params.token ?? '')
  const mail = found && (await findMail(service.db, { profileId: found.profileId, id: found.mailId }))
  if (mail === undefined)
    return show(404, shell('This link opens nothing', html`<p>It is not complete, or the reports ended.</p>`))
  const profileId = mail.profile_id
  const report = await findReport(service.db, { profileIds: [profileId], id: mail.report_id })
  const words = texts[report?.language === 'es' ? 'es' : 'en']
  // Mail programs open links to check them: only a post ends anything.
  if (request.method !== 'POST')
    return show(
      200,
      shell(
        words.title,
        html`<p>${words.ask}</p><form method="post"><button>${words.button}</button></form>`,
      ),
    )
  await saveUnsubscribe(service.db, { profileId, recipient: mail.recipient, now: service.clock.now() })
  return show(200, shell(words.doneTitle, html`<p>${words.done}</p>`))
}
