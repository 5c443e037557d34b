/** Chat of the sandbox's business: its chat account, templates with analytics, and incoming messages. */

import { hmacSha256 } from '../hmac.ts'
import type { SandboxOptions, SandboxReply, SandboxRequest } from '../sandbox.ts'
import { seededDigits } from '../seeded-random.ts'
import type { Grant } from '../tokens.ts'
import { createChatMedia } from './chat-media.ts'
import { refuseFields } from './field-check.ts'
import type { GraphNode } from './graph.ts'
import { graphError, listReply, pickFields } from './replies.ts'

const templates = [
  ['plan_ready', 'en_US', 'UTILITY'],
  ['plan_ready', 'es', 'UTILITY'],
  ['open_house', 'en_US', 'MARKETING'],
] as const

type Insights = 'on' | 'off' | 'unsupported'
type Granted = (grant: Grant, permission: string) => boolean
type Page = { id: string; instagram_business_account: { id: string } }

type Wrote = (accountId: string, people: readonly string[], at: Date) => void

export function createChat(options: SandboxOptions, firstPage: () => Page, granted: Granted, wrote: Wrote) {
  const { seed } = options
  const account = { id: seededDigits(15, seed, 'chat account'), name: 'Harbor & Pine chat' }
  let insights: Insights = 'on'
  let added: GraphNode[] = []
  let sent = 0
  let subscribed = false

  const templateNodes = (): GraphNode[] => [
    ...templates.map(([name, language, category], index) => ({
      id: seededDigits(15, seed, 'template', index),
      name,
      language,
      category,
      status: 'APPROVED',
    })),
    ...added,
  ]

  function analytics(request: SandboxRequest): SandboxReply {
    const ids = JSON.parse(request.query.get('template_ids') ?? '[]') as string[]
    const [start, end] = [Number(request.query.get('start')), Number(request.query.get('end'))]
    if (insights !== 'on')
      return graphError(400, 100, '(#100) Template insights are not enabled for this account')
    if (request.query.get('granularity') !== 'DAILY' || ids.length === 0 || ids.length > 10 || !(start < end))
      return graphError(400, 100, '(#100) Invalid parameter')
    const points = []
    for (let day = start; day < end; day += 86_400)
      for (const id of ids)
        points.push({
          template_id: id,
          start: day,
          end: day + 86_400,
          sent: 40,
          delivered: 38,
          read: 21,
          clicked: [
            { type: 'url_button', button_content: 'See the plan', count: 4 },
            { type: 'quick_reply_button', button_content: 'Call me', count: 2 },
          ],
        })
    return { status: 200, body: { data: [{ granularity: 'DAILY', data_points: points }], paging: {} } }
  }

  function accountNode(request: SandboxRequest): SandboxReply {
    if (request.method === 'POST') {
      if (insights === 'unsupported')
        return graphError(400, 100, '(#100) This account cannot enable template insights')
      insights = 'on'
      return { status: 200, body: { id: account.id } }
    }
    const node = { ...account, is_enabled_for_insights: insights === 'on' }
    return (
      refuseFields(request, 'WhatsAppBusinessAccount') ?? { status: 200, body: pickFields(request, node) }
    )
  }

  async function post(object: string, entry: Record<string, unknown>): Promise<void> {
    const body = JSON.stringify({ object, entry: [entry] })
    const signature = `sha256=${hmacSha256(options.clientSecret, body).toString('hex')}`
    const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature }
    await options.sendWebhook({ provider: 'social_ads', headers, body })
  }

  const number = { id: seededDigits(15, seed, 'chat number'), display_phone_number: '+1 555 0100' }
  const metadata = { display_phone_number: '15550100', phone_number_id: number.id }
  const sendChatWebhook = (field: string, value: Record<string, unknown>) =>
    post('whatsapp_business_account', {
      id: account.id,
      changes: [{ field, value: { messaging_product: 'whatsapp', metadata, ...value } }],
    })
  async function sendThreadWebhook(
    channel: string,
    at: Date,
    messaging: (to: string) => object,
  ): Promise<string> {
    const page = firstPage()
    const to = channel === 'photoapp' ? page.instagram_business_account.id : page.id
    await post(channel === 'photoapp' ? 'instagram' : 'page', {
      id: to,
      time: at.getTime(),
      messaging: [messaging(to)],
    })
    return to
  }

  /** The business writes, through the API or, with `in_app`, in its app on a phone. */
  async function reply(args: Record<string, unknown>, at: Date): Promise<Record<string, unknown>> {
    const [channel, person] = [String(args.channel ?? 'chatapp'), String(args.person)]
    const mid = `m_${seededDigits(20, seed, 'reply', channel, person, at.getTime())}`
    const text = { body: 'Thank you for your question' }
    const id = `wamid.${mid}`
    const timestamp = String(Math.floor(at.getTime() / 1000))
    if (channel !== 'chatapp') {
      const message = { is_echo: true, app_id: 1517776481860111, mid, text: text.body }
      await sendThreadWebhook(channel, at, (from) => ({
        sender: { id: from },
        recipient: { id: person },
        timestamp: at.getTime(),
        message,
      }))
    } else if (args.in_app === true)
      await sendChatWebhook('smb_message_echoes', {
        message_echoes: [{ from: '15550100', to: person, id, timestamp, type: 'text', text }],
      })
    else
      await sendChatWebhook('messages', {
        statuses: [
          { id, status: 'sent', timestamp, recipient_id: person, recipient_user_id: `US.${person}` },
          { id, status: 'delivered', timestamp, recipient_id: person, recipient_user_id: `US.${person}` },
        ],
      })
    return { person, message_id: mid }
  }

  /**
   * A person writes: `person`, `ad_id`, `at` and `message_id` can be given; by default a new person writes. With
   * `by: business` the business replies.
   */
  async function message(args: Record<string, unknown>): Promise<Record<string, unknown>> {
    const channel = String(args.channel ?? 'chatapp')
    const at = args.at === undefined ? options.now() : new Date(String(args.at))
    if (args.by === 'business') return reply(args, at)
    const person = String(args.person ?? seededDigits(11, seed, 'writer', sent++))
    const mid = String(args.message_id ?? `m_${seededDigits(20, seed, channel, person, at.getTime())}`)
    const adId = args.ad_id === undefined ? null : String(args.ad_id)
    if (channel === 'chatapp') {
      const referral = adId && {
        source_url: 'https://fb.me/sandbox',
        source_type: 'ad',
        source_id: adId,
        headline: 'Nine days, one new kitchen',
        body: 'Write to us',
        media_type: 'image',
        ctwa_clid: `ctwa-${mid}`,
      }
      const userId = `US.${person}`
      const chatMessage = {
        from: person,
        from_user_id: userId,
        id: `wamid.${mid}`,
        timestamp: String(Math.floor(at.getTime() / 1000)),
        type: 'text',
        text: { body: String(args.text ?? 'I saw your kitchen and have a question') },
        ...(referral ? { referral } : {}),
      }
      const contacts = [{ profile: { name: 'Robin Writer' }, wa_id: person, user_id: userId }]
      wrote(account.id, [person, userId], at)
      await sendChatWebhook('messages', { contacts, messages: [chatMessage] })
      return { account_id: account.id, person, message_id: mid }
    }
    const referral = adId && {
      ref: 'r',
      ad_id: adId,
      source: 'ADS',
      type: 'OPEN_THREAD',
      ads_context_data: {},
    }
    const to = await sendThreadWebhook(channel, at, (id) => ({
      sender: { id: person },
      recipient: { id },
      timestamp: at.getTime(),
      message: {
        mid,
        text: String(args.text ?? 'I have a question about an ad'),
        ...(referral ? { referral } : {}),
      },
    }))
    wrote(to, [person], at)
    return { account_id: to, person, message_id: mid }
  }

  const media = createChatMedia(options, number, (node) => void added.push(node))

  /** Sends a status update of a message from the business: `delivered`, or `failed` with a code. */
  async function report(
    sent: { account: string; accountId: string; person: string; mid: string; reference: string | null },
    args: Record<string, unknown>,
  ): Promise<Record<string, unknown>> {
    const at = options.now()
    const status = String(args.status ?? 'delivered')
    if (sent.account === 'chat')
      await sendChatWebhook('messages', {
        statuses: [
          {
            id: `wamid.${sent.mid}`,
            status,
            timestamp: String(Math.floor(at.getTime() / 1000)),
            recipient_user_id: sent.person,
            ...(sent.reference === null ? {} : { biz_opaque_callback_data: sent.reference }),
            ...(status === 'failed' ? { errors: [{ code: Number(args.code), title: 'Failed' }] } : {}),
          },
        ],
      })
    else {
      const isPage = sent.accountId === firstPage().id
      const eventFields =
        status === 'sent'
          ? {
              message: { is_echo: true, app_id: 1, mid: sent.mid, metadata: sent.reference, text: 'an echo' },
            }
          : { delivery: { mids: [sent.mid], watermark: at.getTime() } }
      const [sender, recipient] =
        status === 'sent' ? [sent.accountId, sent.person] : [sent.person, sent.accountId]
      await post(isPage ? 'page' : 'instagram', {
        id: sent.accountId,
        time: at.getTime(),
        messaging: [
          { sender: { id: sender }, recipient: { id: recipient }, timestamp: at.getTime(), ...eventFields },
        ],
      })
    }
    return { message_id: sent.mid }
  }

  return {
    accountId: account.id,
    numberId: number.id,
    media,
    knowsTemplate: (name: string, language: string) =>
      templateNodes().some((node) => node.name === name && node.language === language),
    report,
    isSubscribed: () => subscribed,
    message,
    setInsights(state: Insights) {
      insights = state
    },
    addTemplate: (name: string, language: string) =>
      void added.push({ id: seededDigits(15, seed, name, language), name, language, status: 'PENDING' }),
    reset() {
      insights = 'on'
      added = []
    },
    businesses: (): SandboxReply => ({
      status: 200,
      body: {
        data: [
          {
            id: seededDigits(15, seed, 'business'),
            owned_whatsapp_business_accounts: { data: [account] },
          },
        ],
        paging: {},
      },
    }),
    /** Null if the id is not the chat account. */
    answer(request: SandboxRequest, grant: Grant, id: string, edge: string): SandboxReply | null {
      if (id !== account.id) return null
      if (!granted(grant, 'whatsapp_business_management'))
        return graphError(403, 200, '(#200) Requires whatsapp_business_management permission')
      switch (edge) {
        case '':
          return accountNode(request)
        case 'subscribed_apps':
          subscribed = request.method === 'POST' || (subscribed && request.method !== 'DELETE')
          return { status: 200, body: { success: true } }
        case 'phone_numbers':
          return media.numbers(request)
        case 'message_templates':
          if (request.method === 'POST') return media.createTemplate(request)
          return listReply(request, templateNodes())
        case 'template_analytics':
          return analytics(request)
        default:
          return graphError(400, 100, `Tried accessing nonexisting field (${edge})`)
      }
    },
  }
}
