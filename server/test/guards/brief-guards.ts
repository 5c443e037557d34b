/** What the promises about briefs rest on. */
import type { Guard } from './guard.ts'

const folder = 'server/src/features/account/briefs'
const file = `${folder}/deliveries.test.ts`

export const briefGuards: readonly Guard[] = [
  {
    name: 'briefs: a member whose access ended gets no more mail',
    file: `${folder}/deliver.ts`,
    snippet: "|| member === undefined || !scopesOfMember(member).includes('campaigns:read'))",
    replacement: ')',
    test: { file, title: 'is not sent to a person who can no longer open the profile' },
  },
  {
    name: 'briefs: a mail that is repeated after a crash keeps its Message-ID',
    file: `${folder}/deliver.ts`,
    snippet: 'messageId: delivery.id,',
    replacement: 'messageId: `${delivery.id}-${Math.random()}`,',
    test: { file, title: 'keeps its Message-ID where a crash repeats it' },
  },
  {
    name: 'briefs: a webhook goes to public addresses only',
    file: `${folder}/receivers.ts`,
    snippet: 'const url = checkUrl(context, body.url)',
    replacement: 'const url = body.url',
    test: { file, title: 'refuses addresses that are not public' },
  },
  {
    name: 'briefs: the address of a webhook is sealed',
    file: `${folder}/receivers.ts`,
    snippet: 'url: seal(service.keyring, urlPlace(profile.id, id), url),',
    replacement: 'url: Buffer.from(url),',
    test: { file, title: 'keeps its address secret, and is listed and removed by owners and admins only' },
  },
  {
    name: 'briefs: webhooks are shown to owners and admins only',
    file: `${folder}/receivers.ts`,
    snippet: "const seesWebhooks = roleAtLeast(context.role, 'admin')",
    replacement: 'const seesWebhooks = true',
    test: { file, title: 'keeps its address secret, and is listed and removed by owners and admins only' },
  },
]
