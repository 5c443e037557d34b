/** Unsubscribe pages. A mail client posts to the link directly (one click); a person confirms on the page first. */
import type { Service } from '../../../context.ts'
import { type Html, html } from '../../../platform/http/html.ts'
import type { PageReply, PageRequest, PageRoute } from '../../../platform/http/page-route.ts'
import { shareHeaders, shell } from '../../advice/top-performers/share-page.ts'
import { readUnsubscribeToken } from './unsubscribe-rules.ts'

type Texts = { title: string; ask: string; button: string; doneTitle: string; done: string }
type Mail = { profileId: string; mailId: string }

export function unsubscribePages(mails: {
  path: string
  texts: { en: Texts; es: Texts }
  unknown: string
  /** Undefined if the mail does not exist. */
  find(
    service: Service,
    mail: Mail,
  ): Promise<{ language: string | undefined; end(): Promise<unknown> } | undefined>
}): PageRoute[] {
  const show = (status: number, title: string, body: Html): PageReply => ({
    status,
    headers: shareHeaders,
    body: shell(title, body),
  })
  async function handle(service: Service, request: PageRequest): Promise<PageReply> {
    const mail = readUnsubscribeToken(service.identityPepper, request.params.token ?? '')
    const subscription = mail && (await mails.find(service, mail))
    if (subscription === undefined) return show(404, 'This link does not work', html`<p>${mails.unknown}</p>`)
    const texts = mails.texts[subscription.language === 'es' ? 'es' : 'en']
    // Mail clients open links to scan them, so only a POST unsubscribes.
    if (request.method !== 'POST') {
      const form = html`<form method="post"><button>${texts.button}</button></form>`
      return show(200, texts.title, html`<p>${texts.ask}</p>${form}`)
    }
    await subscription.end()
    return show(200, texts.doneTitle, html`<p>${texts.done}</p>`)
  }
  return [
    { method: 'GET', path: mails.path, handle },
    { method: 'POST', path: mails.path, bodyLimit: 4096, handle },
  ]
}
