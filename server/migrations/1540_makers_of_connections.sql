-- Who created a row, or chose where it sends: the person, and the API key, user token or assistant's consent that the
-- person used. Null where it is unknown (created before these columns). `authorization_id` names the app that created
-- the row without a person who confirmed it; null otherwise. It ends with it.
alter table connections
  add column authorization_id uuid,
  add column made_by_user_id uuid,
  add column made_by_credential_id uuid;

-- Stores and chatbots connected with a pasted secret: the app's grant was given at the moment the secret was stored.
update connections c set authorization_id = g.authorization_id
from connection_grants g
where g.profile_id = c.profile_id and g.connection_id = c.id and g.authorization_id is not null
  and ((c.provider = 'chatbot' and g.granted_at = c.authorized_at)
    or (c.provider = 'storefront' and c.provider_subtype = 'manual' and g.granted_at = c.created_at));
