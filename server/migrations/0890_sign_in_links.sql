-- A mailed link that signs in, for a person whose password tries were used up by strangers.
alter table account_links drop constraint account_links_purpose_check;

alter table account_links add constraint account_links_purpose_check
  check (purpose in ('verify_email', 'change_email', 'reset_password', 'sign_in'));
