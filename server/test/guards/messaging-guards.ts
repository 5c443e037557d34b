/** Messages and mails to people are sent once, and privacy modes are respected. */
import type { Guard } from './guard.ts'

const messages = 'server/src/features/outgoing/messages/messages.test.ts'
const mail = 'server/src/features/outgoing/mail/mail.test.ts'
const mailbox = 'server/src/connectors/mailbox.test.ts'

const calendars = 'server/src/features/sources/calendars/calendars.test.ts'
const calendarPrivacy = 'server/src/features/sources/calendars/privacy.test.ts'

export const messagingGuards: readonly Guard[] = [
  {
    name: 'mailboxes: an authorized app cannot connect one',
    file: 'server/src/features/sources/handoffs/operations.ts',
    snippet:
      "if (isMailboxVendor(provider) && isPartner(context)) await requireDecider(context, 'Connecting a mailbox')",
    replacement: '',
    test: {
      file: 'server/src/features/sources/handoffs/handoffs.test.ts',
      title: 'of %s requires more than the grant of an authorized app',
    },
  },
  {
    name: 'mailboxes: an authorized app gets no link to reconnect one',
    file: 'server/src/features/sources/handoffs/operations.ts',
    snippet: 'if (isMailbox && isPartner(context) && !(await canDecide(context))) return null',
    replacement: '',
    test: {
      file: 'server/src/features/outgoing/mail/mail.test.ts',
      title: 'a revoked grant requires a reconnect and returns its link; after it, mail is sent',
    },
  },
  {
    name: 'calendars: an authorized app cannot share one',
    file: 'server/src/features/sources/calendars/operations.ts',
    snippet: 'const isDecision = isPartner(context) || isHealthcare(profile)',
    replacement: 'const isDecision = isHealthcare(profile)',
    test: { file: calendarPrivacy, title: 'requires more than the grant of an authorized app' },
  },
  {
    name: 'calendars: sharing one of a healthcare profile needs an owner or admin',
    file: 'server/src/features/sources/calendars/operations.ts',
    snippet: "if (isDecision) await requireDecider(context, 'Sharing a calendar')",
    replacement: '',
    test: {
      file: calendarPrivacy,
      title: 'of a %s profile needs a decision of an owner or admin, and the owners are mailed',
    },
  },
  {
    name: 'calendars: guests who are no customers are not shown',
    file: 'server/src/features/sources/calendars/operations.ts',
    snippet: 'return customerId === undefined ? [] : [{ ...guest, customer_id: customerId }]',
    replacement: 'return [{ ...guest, customer_id: customerId ?? profile.id }]',
    test: {
      file: calendarPrivacy,
      title: 'are only those that the account owns, and only guests who are customers are shown',
    },
  },
  {
    name: 'calendars: a disconnect deletes the guests who were never counted',
    file: 'server/src/features/sources/connections/store.ts',
    snippet: '  await forgetCalendars(tx, { profileId, connectionId })\n',
    replacement: '',
    test: {
      file: calendarPrivacy,
      title: 'a disconnected calendar keeps only counted appointments',
    },
  },
  {
    name: 'calendars: only those created here are shared',
    file: 'server/src/features/sources/calendars/operations.ts',
    snippet: 'match === undefined || !match.calendar.is_managed',
    replacement: 'match === undefined',
    test: { file: calendars, title: 'is created and shared; every other one is refused' },
  },
  {
    name: 'calendars: customers among the guests are in the access log',
    file: 'server/src/features/sources/calendars/operations.ts',
    snippet: 'context.shown.add(customerId)',
    replacement: '{}',
    test: { file: calendars, title: 'are read live for at most 90 days, and each customer shown is logged' },
  },
  {
    name: 'appointments: the CRM’s own wins',
    file: 'server/src/features/facts/appointments/rules.ts',
    snippet: 'appointment.calendar_id === null ? 0 :',
    replacement: 'appointment.calendar_id === null ? 3 :',
    test: {
      file: calendars,
      title: 'counts from the CRM if both have it, and from the calendar again when the CRM’s is deleted',
    },
  },
  {
    name: 'appointments: those of an erased person are deleted',
    file: 'server/src/features/corrections/person-data/contact-tables.ts',
    snippet: "table: 'appointments',\n    findBy: { identifier_id: 'identifier' },\n    erase: 'delete',",
    replacement: "table: 'appointments',\n    findBy: { identifier_id: 'identifier' },\n    erase: 'kept',",
    test: {
      file: calendarPrivacy,
      title: 'an erased guest keeps no appointment, also after the calendar is synced again',
    },
  },
  {
    name: 'messages: a call without a response is not repeated',
    file: 'server/src/connectors/social-ads/send-messages.ts',
    snippet: '    schema: ChatResponse,\n    once: true,',
    replacement: '    schema: ChatResponse,',
    test: {
      file: messages,
      title: 'a lost response is reported as unknown, and repeating the request sends nothing',
    },
  },
  {
    name: 'messages: after a crash the same request finds its row',
    file: 'server/src/features/outgoing/messages/operations.ts',
    snippet: 'if (earlier !== undefined) return earlier',
    replacement: '',
    test: {
      file: messages,
      title: 'a crash between call and response leaves a row that prevents a second send',
    },
  },
  {
    name: 'messages: a sent message is not reported as failed',
    file: 'server/src/features/outgoing/messages/operations.ts',
    snippet: "context.log.warn('message sent, but its outcome could not be saved', { error })",
    replacement: "await settle('failed', {})",
    test: {
      file: messages,
      title: 'an outcome that cannot be stored is unknown: neither failed nor sent again',
    },
  },
  {
    name: 'messages: a token for assistants cannot send messages',
    file: 'server/src/platform/contract/access.ts',
    snippet: " || scope === 'messages:write'",
    replacement: '',
    test: { file: messages, title: 'is not implied by a token for assistants' },
  },
  {
    name: 'exports: a privacy mode reveals no conversation',
    file: 'server/src/features/outgoing/exports/run/rules.ts',
    snippet: "if (policy.privacyMode !== 'standard' || event?.url != null) return {}",
    replacement: 'if (event?.url != null) return {}',
    test: {
      file: 'server/src/features/outgoing/exports/run/rules.test.ts',
      title:
        'contains the conversation that started from an ad, unless a website visit followed or the mode forbids it',
    },
  },
  {
    name: 'messaging accounts: an account belongs to one profile of a workspace',
    file: 'server/src/features/sources/messaging-accounts/operations.ts',
    snippet: 'exclusiveAccount: true',
    replacement: 'exclusiveAccount: false',
    test: {
      file: 'server/src/features/sources/messaging-accounts/messaging-accounts.test.ts',
      title: 'of the photo app with its own login has no dataset until it is connected through its page',
    },
  },
  {
    name: 'mail: a call without a response is not repeated',
    file: 'server/src/connectors/gmail/connector.ts',
    snippet: '          once: true,\n',
    replacement: '',
    test: { file: mailbox, title: 'a mail is not retried after a lost response' },
  },
  {
    name: 'mail: after a crash the same request finds its row',
    file: 'server/src/features/outgoing/mail/operations.ts',
    snippet: 'if (earlier !== undefined) return earlier',
    replacement: '',
    test: {
      file: mail,
      title: 'a crash between call and response leaves a row that prevents a second send',
    },
  },
  {
    name: 'mail: only customers of the profile or members of the workspace',
    file: 'server/src/features/outgoing/mail/operations.ts',
    snippet: '  await checkRecipients(context, body.to)\n',
    replacement: '',
    test: { file: mail, title: 'sends to no one else, and sends nothing if one recipient is unknown' },
  },
  {
    name: 'mail: a disconnected mailbox does not reveal who is a customer',
    file: 'server/src/features/outgoing/mail/operations.ts',
    snippet: '  await checkMailbox(context, mailbox)\n',
    replacement: '',
    test: { file: mail, title: 'when disconnected, it sends nothing and does not reveal who is a customer' },
  },
  {
    name: 'mail: an access is logged even if the vendor refuses the mail',
    file: 'server/src/features/outgoing/mail/operations.ts',
    snippet: 'if (customers.size > 0)',
    replacement: 'if (false)',
    test: { file: mail, title: 'a mail that the vendor refuses is recorded as an access to the customer' },
  },
  {
    name: 'files: a second part after the file is not uploaded',
    file: 'server/src/features/sources/chat-accounts/upload.ts',
    snippet: 'searched.includes(delimiter) || ',
    replacement: '',
    test: {
      file: 'server/src/features/sources/chat-accounts/chat-accounts.test.ts',
      title: 'a form with a part after its file uploads nothing, and is no failure of the platform',
    },
  },
  {
    name: 'files: one workspace cannot use up the slots of others',
    file: 'server/src/platform/http/file-gate.ts',
    snippet: '(active.get(workspaceId) ?? 0) >= PER_WORKSPACE || ',
    replacement: '',
    test: {
      file: 'server/src/platform/http/file-gate.test.ts',
      title: 'allows two concurrent large files per workspace',
    },
  },
  {
    name: 'explain: replies need customers:read',
    file: 'server/src/features/attribution/crediting/explain.ts',
    snippet: 'withReplies: canReadPeople(context)',
    replacement: 'withReplies: true',
    test: {
      file: 'server/src/features/outgoing/messages/messages.test.ts',
      title: 'appears in the explanation of a sale, without credit',
    },
  },
  {
    name: "files: a failing sender does not open the platform's circuit breaker",
    file: 'server/src/platform/outbound/client.ts',
    snippet: 'fail(body.problem() ?? toOutboundError(error))',
    replacement: 'fail(toOutboundError(new Error()))',
    test: {
      file: 'server/src/platform/outbound/streams.test.ts',
      title: 'a body whose source fails is aborted, and does not trip the circuit breaker of the host',
    },
  },
  {
    name: 'mail: a refusal does not reveal which address is a customer’s',
    file: 'server/src/features/outgoing/mail/operations.ts',
    snippet: "field: 'to',",
    replacement: 'field: `to.${to.indexOf(address)}`,',
    test: { file: mail, title: 'sends to no one else, and sends nothing if one recipient is unknown' },
  },
  {
    name: 'mail: a mail that was never sent has no unknown outcome',
    file: 'server/src/features/outgoing/mail/deliver.ts',
    snippet: 'code === null && mayBeSent',
    replacement: 'code === null && isOutcomeUnknown(error)',
    test: {
      file: mail,
      title:
        'an expired token is refreshed first; with an unreadable token nothing is sent and the outcome is known',
    },
  },
  {
    name: 'mail: an error contains nothing of the mail',
    file: 'server/src/connectors/sent-mail.ts',
    snippet: 'providerMessage !== null && repeats(providerMessage, mail) ? null : providerMessage',
    replacement: 'providerMessage',
    test: { file: mailbox, title: 'an error message that repeats the mail is dropped' },
  },
  {
    name: 'mail: a report that was interrupted by a crash is not sent from the mailbox again',
    file: 'server/src/features/outgoing/mail/once.ts',
    snippet: "if (!isNew) return getEarlierDelivery(service, key, (tx) => settle(tx, 'unknown', null))",
    replacement: '',
    test: {
      file: 'server/src/features/sharing/client-reports/from-mailbox.test.ts',
      title: 'a crash after the vendor took the mail does not send it again',
    },
  },
]
