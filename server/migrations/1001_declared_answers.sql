-- What customers answered when asked how they heard of the business. The person is a keyed hash; the text is their own.
create table declared_answers (
  profile_id uuid not null,
  id uuid not null,
  answer_key text not null,
  answer_text text,
  identifier_id uuid,
  order_ref uuid,
  source text not null check (source in ('api', 'tracker', 'hosted')),
  asked_at timestamptz not null,
  created_at timestamptz not null,
  primary key (profile_id, id)
);
create index declared_answers_identifier on declared_answers (profile_id, identifier_id);
create index declared_answers_order on declared_answers (profile_id, order_ref);
