-- A try is known by its request.
alter table conversion_exports drop column claim_id;
