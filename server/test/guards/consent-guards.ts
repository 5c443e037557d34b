/** What people stated about ads decides about everything that leaves. */
import type { Guard } from './guard.ts'

const exportsTest = 'server/src/features/outgoing/exports/consent.test.ts'

export const consentGuards: readonly Guard[] = [
  {
    name: 'consent: a refusal of the customer decides over an event that states none',
    file: 'server/src/features/outgoing/exports/run/rules.ts',
    snippet: 'stricterOf(event === null ? noConsent : readConsent(event), person.consent)',
    replacement: 'event === null ? noConsent : readConsent(event)',
    test: {
      file: exportsTest,
      title: 'a refusal with a lead keeps the payment that a system without consent reports from leaving',
    },
  },
  {
    name: 'consent: the header of the browser counts for scripts that do not report it',
    file: 'server/src/features/sources/tracking/to-event.ts',
    snippet: "if (isOptedOut && !sent.has('gpc_lifted')) sent.add('gpc')",
    replacement: '',
    test: {
      file: 'server/src/features/outgoing/exports/opt-out-signal.test.ts',
      title: 'an event with the header, sent again without it, is one event and stays refused',
    },
  },
  {
    name: 'consent: of two statements the later decides, whatever the order of arrival',
    file: 'server/src/features/facts/consents/rules.ts',
    snippet: "return difference > 0 || (difference === 0 && second.state === 'denied') ? second : first",
    replacement: 'return second',
    test: {
      file: exportsTest,
      title: 'whatever is stated in whatever order, the newest statement over all identifiers decides',
    },
  },
  {
    name: 'consent: a grant counts for the strongest identifier only',
    file: 'server/src/features/facts/consents/rules.ts',
    snippet: "stated.state === 'denied' ? identifiers : identifiers.slice(0, 1)",
    replacement: 'identifiers',
    test: {
      file: exportsTest,
      title: 'a refusal counts for every identifier of its event, a grant for the strongest only',
    },
  },
  {
    name: 'consent: a refused category of a Segment message is a refusal of ads',
    file: 'server/src/features/sources/segment/to-event.ts',
    snippet: 'every((choice) => choice !== false)',
    replacement: 'every(() => true)',
    test: {
      file: 'server/src/features/sources/segment/segment.test.ts',
      title: 'a refused category is a refusal of ads; without one nothing is stated',
    },
  },
  {
    name: 'consent: an event that is taken back grants nothing',
    file: 'server/src/features/facts/consents/statements.ts',
    snippet: "and (c.state = 'granted' or exists (",
    replacement: 'and (false or exists (',
    test: {
      file: exportsTest,
      title: 'an event that is corrected or retracted takes back what it granted',
    },
  },
  {
    name: 'consent: an erasure deletes the statements of the person',
    file: 'server/src/features/corrections/person-data/identity-tables.ts',
    snippet: "table: 'ad_consents',\n    findBy: { identifier_id: 'identifier' },\n    erase: 'delete',",
    replacement: "table: 'ad_consents',\n    findBy: { identifier_id: 'identifier' },\n    erase: 'kept',",
    test: {
      file: exportsTest,
      title: 'an erasure deletes the statements; the same address is a new person afterwards',
    },
  },
  {
    name: 'consent: who opts out is removed from lists that were built from a filter',
    file: 'server/src/features/attribution/pipeline/process.ts',
    snippet: '    identifierIds: result.refusedIdentifiers,\n',
    replacement: '',
    test: {
      file: exportsTest,
      title: 'removes a customer who opts out from lists that were built from a filter',
    },
  },
  {
    name: "consent: who refused is left out of a partner's list",
    file: 'server/src/features/outgoing/exports/audiences/customer-list.ts',
    snippet: ' ||\n    isRefused(consents.get(customerIdOf(id)) ?? noConsent)',
    replacement: '',
    test: {
      file: 'server/src/features/outgoing/exports/audiences/audiences.test.ts',
      title: 'leaves out people who refused, whatever consent the partner states',
    },
  },
]
