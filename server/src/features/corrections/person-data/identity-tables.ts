/** Tables that know a person by an identifier. */
import { sql } from 'kysely'
import { forgetInAudiences } from '../../outgoing/exports/audiences/erased-job.ts'
import { forgetMerges } from '../identity-review/merges.ts'
import type { PersonTable } from './entry.ts'
import * as steps from './steps.ts'

export const identityTables: readonly PersonTable[] = [
  {
    table: 'identifiers',
    findBy: { id: 'identifier' },
    erase: { after: steps.deleteIdentifiers },
    export: {
      section: 'identifiers',
      about: {
        en: 'What the business recognises you by. Values are stored as hashes.',
        es: 'Cómo la empresa le reconoce. Los valores se guardan como hashes.',
        pt: 'Como a empresa reconhece você. Os valores são armazenados como hashes.',
      },
      columns: { id: 'identifier_id' },
      computed: {
        kind: { type: 'string', sql: () => steps.identifierKind },
        stored_as: { type: 'string', sql: () => sql`'hash'` },
      },
      orderBy: ['id'],
    },
    internal: 'kind customer_id',
  },
  {
    table: 'identity_traits',
    findBy: { identifier_id: 'identifier' },
    erase: 'rederived',
    export: {
      section: 'traits',
      about: {
        en: 'Email, phone, name and other values that you or the business stated.',
        es: 'Correo, teléfono, nombre y otros datos que usted o la empresa indicaron.',
        pt: 'E-mail, telefone, nome e outros dados que você ou a empresa informaram.',
      },
      columns: {
        identifier_id: 'identifier_id',
        trait: 'trait',
        value: 'value',
        observed_at: 'stated_at',
        event_id: 'event_id',
      },
      orderBy: ['identifier_id', 'trait', 'event_id'],
    },
    internal: '',
  },
  {
    table: 'customer_names',
    findBy: { identifier_id: 'identifier' },
    erase: 'rederived',
    export: { none: 'Keyed hashes of the names in identity_traits.' },
    internal: 'tokens',
  },
  {
    table: 'identity_links',
    findBy: { strong_id: 'identifier', weak_id: 'identifier' },
    erase: 'rederived',
    export: {
      section: 'links',
      about: {
        en: 'Which identifiers were seen together.',
        es: 'Qué identificadores se vieron juntos.',
        pt: 'Quais identificadores foram vistos juntos.',
      },
      columns: {
        strong_id: 'identifier_id',
        weak_id: 'linked_identifier_id',
        observed_at: 'observed_at',
        by_token: 'by_link_token',
        event_id: 'event_id',
      },
      orderBy: ['strong_id', 'weak_id', 'event_id'],
    },
    internal: '',
  },
  {
    table: 'link_decisions',
    findBy: { strong_id: 'identifier', weak_id: 'identifier' },
    erase: { before: forgetMerges },
    export: {
      section: 'link_decisions',
      about: {
        en: 'Links that the business confirmed or separated.',
        es: 'Vínculos que la empresa confirmó o separó.',
        pt: 'Vínculos que a empresa confirmou ou separou.',
      },
      columns: {
        strong_id: 'identifier_id',
        weak_id: 'linked_identifier_id',
        decision: 'decision',
        decided_at: 'decided_at',
      },
      orderBy: ['strong_id', 'weak_id'],
    },
    internal: 'decided_by',
  },
  {
    table: 'customer_merges',
    findBy: { from_customer_id: 'identifier', into_customer_id: 'identifier' },
    erase: { before: forgetMerges },
    export: {
      section: 'merges',
      about: {
        en: 'Customer records that were merged, because they are one person.',
        es: 'Registros de cliente que se unieron por ser una sola persona.',
        pt: 'Registros de cliente unidos por serem uma só pessoa.',
      },
      columns: {
        from_customer_id: 'from_customer_id',
        into_customer_id: 'into_customer_id',
        merged_at: 'merged_at',
        undone_at: 'undone_at',
      },
      orderBy: ['id'],
    },
    internal: 'id merged_by undone_by',
  },
  {
    table: 'merge_proposals',
    findBy: { first_id: 'identifier', second_id: 'identifier' },
    erase: { before: forgetMerges },
    export: { none: 'Names a second customer who may be somebody else; manifest.json counts them.' },
    internal:
      'id contradictions created_at decided_at decided_by merge_id score shared_kinds sides_at_merge snoozed_until status',
  },
  {
    table: 'ad_consents',
    findBy: { identifier_id: 'identifier' },
    erase: 'delete',
    export: {
      section: 'consents',
      about: {
        en: 'What you stated about the use of your data for ads.',
        es: 'Lo que indicó sobre el uso de sus datos para publicidad.',
        pt: 'O que você declarou sobre o uso dos seus dados para anúncios.',
      },
      columns: {
        identifier_id: 'identifier_id',
        purpose: 'purpose',
        state: 'state',
        source: 'source',
        stated_at: 'stated_at',
        event_id: 'event_id',
      },
      orderBy: ['identifier_id', 'purpose', 'state'],
    },
    internal: '',
  },
  {
    table: 'erased_customers',
    findBy: { id: 'identifier' },
    erase: { after: steps.moveErasedMark },
    export: { none: 'Marks erased customers, who cannot be exported.' },
    internal: 'erased_at',
  },
  {
    table: 'erasures',
    findBy: { customer_id: 'identifier', identifier_ids: 'identifier' },
    erase: 'kept',
    export: { none: 'Receipts of erasures; identifiers are removed when an erasure ends.' },
    internal:
      'id erased_as state requested_at completed_at selector_hash swept_at swept_id identifiers events touches conversions payments',
  },
  {
    table: 'customer_data_exports',
    findBy: { customer_id: 'identifier' },
    erase: { after: steps.cancelExports },
    export: { none: 'Receipts of this file.' },
    internal:
      'id selector_hash status law requested_on due_on identity_method identity_note code_hash code_expires_at code_tries codes_sent created_by_kind created_by_id created_at confirmed_at ready_at expires_at sections sha256 bytes downloads',
  },
  {
    table: 'audience_members',
    findBy: { identifier_id: 'identifier' },
    erase: 'delete',
    export: {
      section: 'audience_lists',
      about: {
        en: 'Lists of customers that were sent to an advertising platform with your data.',
        es: 'Listas de clientes con sus datos que se enviaron a una plataforma de publicidad.',
        pt: 'Listas de clientes com seus dados enviadas a uma plataforma de anúncios.',
      },
      columns: { list_id: 'list_id', identifier_id: 'identifier_id', added_at: 'added_at' },
      computed: {
        list_name: { type: 'string', sql: steps.listName },
        platform: { type: 'string', sql: steps.listPlatform },
      },
      orderBy: ['list_id', 'identifier_id'],
    },
    internal: '',
  },
  {
    table: 'audience_exclusions',
    findBy: { customer_id: 'identifier' },
    erase: { before: forgetInAudiences },
    export: {
      section: 'audience_exclusions',
      about: {
        en: 'Decisions to keep you out of all lists.',
        es: 'Decisiones de no incluirle en ninguna lista.',
        pt: 'Decisões de não incluir você em nenhuma lista.',
      },
      columns: { customer_id: 'customer_id', added_at: 'added_at', reason: 'reason' },
      orderBy: ['id'],
    },
    internal: 'id person_hash',
  },
  {
    table: 'ad_people',
    findBy: { customer_id: 'identifier' },
    erase: 'rederived',
    export: { none: 'Counts the visits of the section visits by ad.' },
    internal: 'reached',
  },
]
