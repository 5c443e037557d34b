-- From when on the ledger of restatements is complete: null is from the profile's creation. Processes of the release
-- before write no ledger, so an existing profile begins a day after the upgrade.
alter table profiles add column restatements_since timestamptz;

update profiles set restatements_since = now() + interval '1 day';
