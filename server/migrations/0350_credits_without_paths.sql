-- The packed credit names its paths itself.
alter table credits drop column paths;
