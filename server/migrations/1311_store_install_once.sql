-- The signature with which a store opened the app makes one workspace.
alter table workspaces add column store_install text unique;
