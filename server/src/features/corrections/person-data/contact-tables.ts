/** Tables of a person's contact with the business, and copies of their data in deliveries, responses and logs. */
import { forgetOutcomes } from '../../outgoing/webhooks/forget.ts'
import type { PersonTable } from './entry.ts'
import * as steps from './steps.ts'

export const contactTables: readonly PersonTable[] = [
  {
    table: 'conversations',
    findBy: { identifier_id: 'identifier' },
    erase: 'anonymised',
    export: {
      section: 'conversations',
      about: {
        en: 'Your chats with the business: times and counts. Texts are not stored.',
        es: 'Sus chats con la empresa: horas y cantidades. Los textos no se guardan.',
        pt: 'Suas conversas com a empresa: horários e quantidades. Os textos não são armazenados.',
      },
      columns: {
        id: 'conversation_id',
        channel: 'channel',
        external_id: 'external_id',
        started_at: 'started_at',
        first_reply_at: 'first_reply_at',
        last_message_at: 'last_message_at',
        messages: 'messages',
        referral: 'referral',
      },
      orderBy: ['id'],
    },
    internal: 'account_id connection_id first_message_id lead_event_id number_id started_event_id',
  },
  {
    table: 'conversation_messages',
    findBy: { conversation_id: 'conversation' },
    erase: 'kept',
    export: {
      section: 'messages',
      about: {
        en: 'Times of your messages.',
        es: 'Horas de sus mensajes.',
        pt: 'Horários das suas mensagens.',
      },
      columns: {
        conversation_id: 'conversation_id',
        occurred_at: 'occurred_at',
        kind: 'kind',
        ad_id: 'ad_id',
      },
      orderBy: ['conversation_id', 'id'],
    },
    internal: 'id',
  },
  {
    table: 'conversation_replies',
    findBy: { conversation_id: 'conversation' },
    erase: 'kept',
    export: {
      section: 'replies',
      about: {
        en: 'Times of the replies of the business.',
        es: 'Horas de las respuestas de la empresa.',
        pt: 'Horários das respostas da empresa.',
      },
      columns: {
        conversation_id: 'conversation_id',
        created_at: 'written_at',
        settled_at: 'sent_at',
        kind: 'kind',
        status: 'status',
        template_name: 'template',
        template_language: 'template_language',
      },
      orderBy: ['id'],
    },
    internal: 'id connection_id human_agent provider_key reason request_hash request_key',
  },
  {
    table: 'chat_codes',
    findBy: { visitor_identifier_id: 'identifier', conversation_id: 'conversation' },
    erase: 'delete',
    export: {
      section: 'chat_codes',
      about: {
        en: 'Codes in chat links that you followed: when, and on which page.',
        es: 'Códigos de enlaces de chat que usó: cuándo y en qué página.',
        pt: 'Códigos de links de chat que você usou: quando e em qual página.',
      },
      columns: {
        created_at: 'clicked_at',
        used_at: 'written_at',
        page_path: 'page',
        conversation_id: 'conversation_id',
      },
      orderBy: ['code_hash'],
    },
    internal: 'code_hash event_id repeats short_link_id',
  },
  {
    table: 'appointments',
    findBy: { identifier_id: 'identifier' },
    erase: 'delete',
    export: {
      section: 'appointments',
      about: { en: 'Your appointments.', es: 'Sus citas.', pt: 'Seus agendamentos.' },
      columns: {
        external_id: 'external_id',
        provider: 'provider',
        booked_at: 'booked_at',
        starts_at: 'starts_at',
        ends_at: 'ends_at',
        state: 'state',
        cancelled_at: 'cancelled_at',
      },
      orderBy: ['connection_id', 'external_id', 'identifier_id'],
    },
    internal: 'calendar_id check_at connection_id reported seen_at',
  },
  {
    table: 'declared_answers',
    findBy: { identifier_id: 'identifier', order_ref: 'order' },
    erase: 'delete',
    export: {
      section: 'declared_answers',
      about: {
        en: 'Your answers to how you heard of the business.',
        es: 'Sus respuestas sobre cómo conoció la empresa.',
        pt: 'Suas respostas sobre como conheceu a empresa.',
      },
      columns: {
        asked_at: 'asked_at',
        answer_key: 'answer',
        answer_text: 'text',
        source: 'source',
      },
      orderBy: ['id'],
    },
    internal: 'id created_at order_ref',
  },
  {
    table: 'provider_leads',
    findBy: { leadgen_id: 'lead' },
    erase: { clear: { field_data: '[]' } },
    export: {
      section: 'lead_answers',
      about: {
        en: 'Your answers in forms of advertising platforms.',
        es: 'Sus respuestas en formularios de plataformas de publicidad.',
        pt: 'Suas respostas em formulários de plataformas de anúncios.',
      },
      columns: {
        leadgen_id: 'lead_id',
        form_id: 'form_id',
        page_id: 'page_id',
        campaign_id: 'campaign_id',
        ad_id: 'ad_id',
        occurred_at: 'occurred_at',
        field_data: 'answers',
      },
      orderBy: ['leadgen_id'],
    },
    internal: 'connection_id recorded_at',
  },
  {
    table: 'outbox_events',
    findBy: { customer_id: 'identifier' },
    erase: { ofEvents: forgetOutcomes },
    export: {
      section: 'webhook_events',
      about: {
        en: "Messages about you to the business's own systems.",
        es: 'Mensajes sobre usted a los sistemas de la propia empresa.',
        pt: 'Mensagens sobre você aos sistemas da própria empresa.',
      },
      columns: {
        type: 'type',
        provider: 'provider',
        occurred_at: 'occurred_at',
        delivered_at: 'delivered_at',
        data: 'data',
      },
      orderBy: ['number'],
    },
    internal: 'id number app_id connection_id recorded_at',
  },
  {
    table: 'pii_access_log',
    findBy: { customer_ids: 'identifier' },
    erase: { after: steps.forgetLogs },
    export: {
      section: 'access',
      about: {
        en: 'Who read your name or contact: the kind of reader, never a name of the staff.',
        es: 'Quién leyó su nombre o contacto: el tipo de lector, nunca nombres del personal.',
        pt: 'Quem leu seu nome ou contato: o tipo de leitor, nunca nomes da equipe.',
      },
      columns: { occurred_at: 'read_at', actor_kind: 'reader' },
      orderBy: ['id'],
    },
    internal: 'id workspace_id actor_id route row_count request_id',
  },
  {
    table: 'webhook_deliveries',
    findBy: {},
    erase: { ofEvents: forgetOutcomes },
    export: { none: 'Attempts to deliver the events of the section webhook_events.' },
    internal:
      'id attempt_count attempts created_at event_id event_type historical next_attempt_at number payload recorded_at settled_at status status_reason subscription_id',
  },
  {
    table: 'audit_log',
    findBy: {},
    erase: { after: steps.forgetLogs },
    export: { none: 'Decisions of the staff; those that show the person are in the section access.' },
    internal: 'id action actor_id actor_kind detail occurred_at request_id subject workspace_id',
  },
  {
    table: 'idempotency_keys',
    findBy: {},
    erase: { before: steps.deleteStoredResponses },
    export: { none: 'Copies of responses, deleted after a day.' },
    internal: 'body created_at expires_at fingerprint key method path scope sealed status',
  },
  {
    table: 'provider_webhooks',
    findBy: {},
    erase: 'kept',
    export: { none: 'Requests of providers before they are read into events; deleted soon after.' },
    internal: 'body connection_id digest headers id processed_at provider query received_at',
  },
  {
    table: 'customer_data_export_parts',
    findBy: {},
    erase: { after: steps.cancelExports },
    export: { none: 'This file, encrypted.' },
    internal: 'id export_id part sealed',
  },
  {
    table: 'event_queue',
    findBy: { event_ids: 'event' },
    erase: 'kept',
    export: { none: 'Ids of events that wait to be processed.' },
    internal: 'cause event_times id is_update',
  },
]
