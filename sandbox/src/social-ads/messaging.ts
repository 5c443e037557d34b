/** Messaging of the sandbox: messaging accounts, their datasets, sent messages and actions. */
import type { SandboxOptions, SandboxReply, SandboxRequest } from '../sandbox.ts'
import type { Grant } from '../tokens.ts'
import { createChat } from './chat.ts'
import { createMessagingDatasets } from './messaging-datasets.ts'
import { createPhotoLogin } from './photo-login.ts'
import { graphError } from './replies.ts'
import { createSends } from './sends.ts'

type Page = { id: string; instagram_business_account: { id: string } }
type Granted = (grant: Grant, permission: string) => boolean
type Reply = SandboxReply | Promise<SandboxReply>

export function createMessaging(options: SandboxOptions, pages: () => readonly Page[], granted: Granted) {
  const datasets = createMessagingDatasets(options.seed, pages)
  const sends = createSends(options, (name, language) => chat.knowsTemplate(name, language))
  const chat = createChat(options, () => pages()[0]!, granted, sends.wrote)
  const photoLogin = createPhotoLogin(options, sends)

  function dataset(grant: Grant, id: string): SandboxReply | null {
    const isChat = chat.accountId === id
    if (!isChat && !pages().some((page) => page.id === id)) return null
    const requiredPermission = isChat ? 'whatsapp_business_manage_events' : 'page_events'
    return granted(grant, requiredPermission)
      ? datasets.answer(id)
      : graphError(403, 200, `(#200) Requires ${requiredPermission} permission to manage the object`)
  }

  function send(request: SandboxRequest, id: string): SandboxReply | null {
    const page = pages().find((candidate) => candidate.id === id)
    if (page) return sends.thread(request, [page.id, page.instagram_business_account.id])
    return chat.numberId === id ? sends.chat(request, chat.accountId) : null
  }

  return {
    isDataset: datasets.has,
    accountsOf: datasets.accountsOf,
    businesses: chat.businesses,
    photo: photoLogin.answer,
    takeUpload: chat.media.take,
    reset() {
      chat.reset()
      sends.reset()
    },
    /** Null if the id is no messaging account, number, file or upload. */
    answer(request: SandboxRequest, grant: Grant, id: string, edge: string): Reply | null {
      if (edge === 'dataset') return dataset(grant, id)
      const sent = edge === 'messages' && request.method === 'POST' ? send(request, id) : null
      return sent ?? chat.media.answer(request, id, edge) ?? chat.answer(request, grant, id, edge)
    },
    /** Null if the action belongs to another part. */
    act(
      action: string,
      args: Record<string, unknown>,
    ): Promise<Record<string, unknown>> | Record<string, unknown> | null {
      switch (action) {
        case 'message':
          return chat.message(args)
        case 'template_insights':
          chat.setInsights(args.state as 'on' | 'off' | 'unsupported')
          return {}
        case 'new_template':
          chat.addTemplate(String(args.name), String(args.language))
          return {}
        case 'messaging':
          sends.set(args)
          return {}
        case 'sent_messages':
          return { sent: sends.sent() }
        case 'report_message': {
          const last = sends.last()
          if (last === undefined) throw new Error('No message was sent')
          return chat.report(last, args)
        }
        case 'sent_media':
          return chat.media.act(args)
        case 'otp_code':
          return { code: chat.media.code() }
        case 'number_verified':
          chat.media.setVerified(args.on === true)
          return {}
        case 'photo_token':
          return photoLogin.grant()
        case 'subscribed_chats':
          return { subscribed: chat.isSubscribed() }
        default:
          return null
      }
    },
  }
}
