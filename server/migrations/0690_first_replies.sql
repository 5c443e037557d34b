-- When the business first wrote to the person after the person's first message; what it wrote is not kept.
alter table conversations add column first_reply_at timestamptz;
