-- Which of the chat account's numbers the person wrote to last: a reply is sent from it.
alter table conversations add column number_id text;
