-- Without a mail server the inviter gets a link to pass on. It lets its holder join, but proves nothing about whose
-- mail they read, so it is another token than the mailed one.
alter table invitations add column link_hash bytea;
create index invitations_link on invitations (link_hash) where link_hash is not null;
