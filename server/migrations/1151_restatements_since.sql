-- From when on the ledger of restatements is complete: null is from the profile's creation. Processes of the release
-- before write no ledger, so an existing profile, and one that such a process creates, begins a day after.
alter table profiles add column restatements_since timestamptz default now() + interval '1 day';
