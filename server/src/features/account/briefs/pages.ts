/** Ending mailed briefs: a mail program posts to the link, a person confirms on the page first. */
import type { Service } from '../../../context.ts'
import { type Html, html } from '../../../platform/http/html.ts'
import type { PageReply, PageRequest, PageRoute } from '../../../platform/http/page-route.ts'
import { shareHeaders, shell } from '../../insights/top-performers/share-page.ts'
import { readUnsubscribeToken } from '../client-reports/unsubscribe-rules.ts'
import { deleteReceiver, findDelivery, findReceiver } from './queries.ts'

const texts = {
  en: {
    title: 'Stop these mails',
    ask: 'You will receive no more briefs and alerts of this profile.',
    button: 'Stop',
    doneTitle: 'These mails have ended',
    done: 'You will receive no more briefs and alerts of this profile. You can switch them on again on Overview.',
  },
  es: {
    title: 'No recibir más estos correos',
    ask: 'No recibirá más resúmenes ni alertas de este perfil.',
    button: 'Confirmar',
    doneTitle: 'Ya no recibirá estos correos',
    done: 'No recibirá más resúmenes ni alertas de este perfil. Puede volver a activarlos en Overview.',
  },
}

const path = '/briefs/unsubscribe/{token}'

export const briefPages: readonly PageRoute[] = [
  { method: 'GET', path, handle: unsubscribe },
  { method: 'POST', path, bodyLimit: 4096, handle: unsubscribe },
]

async function unsubscribe(service: Service, request: PageRequest): Promise<PageReply> {
  const show = (status: number, body: Html): PageReply => ({ status, headers: shareHeaders, body })
  const found = readUnsubscribeToken(service.identityPepper, request.params.token ?? '')
  const delivery = found && (await findDelivery(service.db, { profileId: found.profileId, id: found.mailId }))
  if (delivery === undefined)
    return show(404, shell('This link opens nothing', html`<p>It is not complete, or it is too old.</p>`))
  const place = { profileId: delivery.profile_id, id: delivery.receiver_id }
  const receiver = await findReceiver(service.db, place)
  const words = texts[receiver?.language === 'es' ? 'es' : 'en']
  // Mail programs open links to check them: only a post ends anything.
  if (request.method !== 'POST')
    return show(
      200,
      shell(
        words.title,
        html`<p>${words.ask}</p><form method="post"><button>${words.button}</button></form>`,
      ),
    )
  await deleteReceiver(service.db, place)
  return show(200, shell(words.doneTitle, html`<p>${words.done}</p>`))
}
