/** Limits of requests, events, unread responses and password attempts. */
import type { Guard } from './guard.ts'

export const limitGuards: readonly Guard[] = [
  {
    name: 'webhooks: history that a subscription leaves out',
    file: 'server/src/features/outgoing/webhooks/delivery/fanout.ts',
    snippet: '(include_history || !historical) &&',
    replacement: '(include_history || isPersonal !== undefined) &&',
    test: {
      file: 'server/src/features/outgoing/webhooks/delivery/fanout.test.ts',
      title: 'history is marked, and left out where the subscription does not include it',
    },
  },
  {
    name: 'webhooks: live deliveries before history',
    file: 'server/src/features/outgoing/webhooks/delivery/due.ts',
    snippet: 'order by next.historical, next.next_attempt_at',
    replacement: 'order by next.next_attempt_at',
    test: {
      file: 'server/src/features/outgoing/webhooks/delivery/load.test.ts',
      title:
        'live deliveries are read before history that is due longer, and a position in history is behind both',
    },
  },
  {
    name: 'limits: unread responses per address are bounded',
    file: 'server/src/platform/http/unsent-answers.ts',
    snippet: 'addressBytes + bytes > limits.perAddressBytes',
    replacement: 'false',
    test: {
      file: 'server/src/platform/http/unsent-answers.test.ts',
      title: 'are limited per address and in total, and are released when sent or cut off',
    },
  },
  {
    name: 'limits: responses to clients that hung up do not count as unread',
    file: 'server/src/platform/http/unsent-answers.ts',
    snippet: 'if (response.closed) return true',
    replacement: '',
    test: {
      file: 'server/src/platform/http/unsent-answers.test.ts',
      title:
        'a response to a client that has hung up is not counted, and what waits for its end runs at once',
    },
  },
  {
    name: 'limits: a read of a client that hung up is not run',
    file: 'server/src/platform/http/respond.ts',
    snippet: "if (entry.method === 'GET' && reply.raw.closed) return",
    replacement: '',
    test: {
      file: 'server/src/platform/http/unread-answers.test.ts',
      title: 'a read of a client that hung up while it waited is not run',
    },
  },
  {
    name: 'limits: responses from shared buffers do not count as unread',
    file: 'server/src/platform/http/request-hooks.ts',
    snippet: 'if (isShared(payload)) {',
    replacement: 'if (false) {',
    test: {
      file: 'server/src/platform/http/unread-answers.test.ts',
      title: 'files that are the same for everyone take no memory per client, and health checks are answered',
    },
  },
  {
    name: 'limits: a comparison of rules waits for its turn',
    file: 'server/src/features/advice/what-if/turns.ts',
    snippet: 'if (!isBusy) return turnOf(tenant)',
    replacement: 'return turnOf(tenant)',
    test: {
      file: 'server/src/features/advice/what-if/turns.test.ts',
      title: 'tenants take turns in the order of arrival, and one tenant has one request at most',
    },
  },
  {
    name: 'limits: one tenant has one comparison at most',
    file: 'server/src/features/advice/what-if/turns.ts',
    snippet: 'tenants.has(tenant) || ',
    replacement: '',
    test: {
      file: 'server/src/features/advice/what-if/turns.test.ts',
      title: 'tenants take turns in the order of arrival, and one tenant has one request at most',
    },
  },
  {
    name: 'limits: direct responses count as unread responses',
    file: 'server/src/platform/http/direct.ts',
    snippet: 'this.#hooks.toSend(this.#request, this, body) as string',
    replacement: 'body',
    test: {
      file: 'server/src/platform/http/direct.test.ts',
      title: 'only plain requests bypass the framework',
    },
  },
  {
    name: 'limits: direct requests count as open requests of an address',
    file: 'server/src/platform/http/direct.ts',
    snippet: 'const tooMany = hooks.begin(request, reply)',
    replacement: 'const tooMany = undefined',
    test: {
      file: 'server/src/platform/http/slow-requests.test.ts',
      title: 'concurrent requests per address are limited, independent of other addresses: %s',
    },
  },
  {
    name: 'limits: a credential cannot exceed its burst',
    file: 'server/src/platform/http/authenticate-request.ts',
    snippet: 'if (!verdict.allowed)',
    replacement: 'if (false)',
    test: {
      file: 'server/src/platform/http/credential-limit.test.ts',
      title: 'a credential that used up its burst gets 429',
    },
  },
  {
    name: 'limits: reads without the coordinator are counted by the process',
    file: 'server/src/platform/http/rate-limit.ts',
    snippet: 'return spend(key, limit, units)',
    replacement: 'return undefined',
    test: {
      file: 'server/src/platform/http/lost-coordinator.test.ts',
      title: 'the rate limit applies, counted per process',
    },
  },
  {
    name: 'limits: the bucket is shared by all processes',
    file: 'server/src/platform/http/rate-limit.ts',
    snippet: 'else greatest(bucket.full_at_ms, ${nowMs}::bigint) end',
    replacement: 'else ${nowMs}::bigint end',
    test: {
      file: 'server/src/platform/http/credential-limit.test.ts',
      title: 'the limit holds across processes',
    },
  },
  {
    name: 'limits: sign-in tries count per network address',
    file: 'server/src/platform/access/limits.ts',
    snippet: '  await spend(service, `sign-in:ip:${clientKey(ip)}`, ofNetwork(context), message)\n',
    replacement: '',
    test: {
      file: 'server/src/platform/access/sign-in-limit.test.ts',
      title: 'an IP address has ten attempts',
    },
  },
  {
    name: 'limits: strangers cannot use up the attempts of other addresses',
    file: 'server/src/platform/access/limits.ts',
    snippet: '`${guess.subject} from ${clientKey(guess.ip)}`',
    replacement: '`${guess.subject} from all`',
    test: {
      file: 'server/src/platform/access/sign-in-limit.test.ts',
      title: 'attackers at eleven addresses use up their own attempts',
    },
  },
  {
    name: 'limits: sign-in tries count per address and account',
    file: 'server/src/platform/access/limits.ts',
    snippet:
      '  await spend(service, `${guess.subject} from ${clientKey(guess.ip)}`, QUARTER_HOUR, guess.message)\n',
    replacement: '',
    test: {
      file: 'server/src/platform/access/sign-in-limit.test.ts',
      title: 'one address gets ten attempts at one account',
    },
  },
  {
    name: 'limits: guesses at one account from very many addresses are bounded',
    file: 'server/src/platform/access/limits.ts',
    snippet: '  await spend(service, guess.subject, ALL_STRANGERS, guess.message)\n',
    replacement: '',
    test: {
      file: 'server/src/platform/access/sign-in-limit.test.ts',
      title: 'is refused for an unknown browser',
    },
  },
  {
    name: 'limits: a known device is recognised for its own account only',
    file: 'server/src/platform/access/known-devices.ts',
    snippet: '`known device ${id} ${subject}`',
    replacement: '`known device ${id}`',
    test: {
      file: 'server/src/platform/access/sign-in-limit.test.ts',
      title: 'refuses a device cookie of another account',
    },
  },
  {
    name: 'limits: a known device has a limit too',
    file: 'server/src/platform/access/limits.ts',
    snippet: '  await spend(service, `known-device:${id}`, QUARTER_HOUR, guess.message)\n',
    replacement: '',
    test: {
      file: 'server/src/platform/access/sign-in-limit.test.ts',
      title: 'accepts a known device, which has ten separate attempts',
    },
  },
  {
    name: 'auth: no mailed link signs in if the address is not verified',
    file: 'server/src/platform/access/mail-job.ts',
    snippet: 'if (user === undefined || user.email_verified_at === null)',
    replacement: 'if (user === undefined)',
    test: {
      file: 'server/src/platform/access/sign-in-limit.test.ts',
      title: 'gets a password reset link if the address is not verified',
    },
  },
  {
    name: 'snapshots: strangers cannot use up the password attempts of others',
    file: 'server/src/features/advice/top-performers/share.ts',
    snippet: 'ip: request.ip,',
    replacement: "ip: '',",
    test: {
      file: 'server/src/features/advice/top-performers/workspace.test.ts',
      title: 'limits password attempts by address, and recognizes a browser that had the password',
    },
  },
  {
    name: 'live links: the password is required',
    file: 'server/src/features/sharing/live-links/open.ts',
    snippet: 'if (link.password_hash !== null)',
    replacement: 'if (false)',
    test: {
      file: 'server/src/features/sharing/live-links/live-links.test.ts',
      title: 'with a password shows nothing without it, and limits attempts by IP address',
    },
  },
  {
    name: 'live links: a healthcare profile needs an owner or admin',
    file: 'server/src/features/sharing/live-links/operations.ts',
    snippet: "  await requireDecider(context, 'A live link of a healthcare profile')\n",
    replacement: '',
    test: {
      file: 'server/src/features/sharing/live-links/live-links.test.ts',
      title: 'of a healthcare profile requires an owner or admin and a password, and the owners get a mail',
    },
  },
  {
    name: 'live links: a link from before a profile became a healthcare profile is disabled',
    file: 'server/src/features/sharing/live-links/open.ts',
    snippet: 'link.for_healthcare || !isHealthcare(profile)',
    replacement: 'link.password_hash !== null || !isHealthcare(profile)',
    test: {
      file: 'server/src/features/sharing/live-links/live-links.test.ts',
      title: 'of a healthcare profile requires an owner or admin and a password, and the owners get a mail',
    },
  },
  {
    name: 'live links: a revoked link is refused',
    file: 'server/src/features/sharing/live-links/open.ts',
    snippet: '|| link.revoked_at !== null',
    replacement: '',
    test: {
      file: 'server/src/features/sharing/live-links/live-links.test.ts',
      title: 'returns 404 once it is revoked, has expired or its profile is archived',
    },
  },
  {
    name: 'limits: requests beyond a limit are refused',
    file: 'server/src/platform/http/rate-limit.ts',
    snippet: 'if (!allowed)',
    replacement: 'if (false)',
    test: {
      file: 'server/src/platform/access/sign-in-limit.test.ts',
      title: 'signing up is limited in the same way',
    },
  },
  {
    name: 'limits: events per second of a profile are limited',
    file: 'server/src/features/facts/events/operations.ts',
    snippet: 'if (wait > 0)',
    replacement: 'if (false)',
    test: {
      file: 'server/src/features/facts/events/ingest.test.ts',
      title: 'a profile above its rate limit gets a Retry-After',
    },
  },
]
