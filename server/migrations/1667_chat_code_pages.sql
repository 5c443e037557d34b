-- The page whose link carried the code, for the report of chats.
alter table chat_codes add column page_path text;
