-- What the last completed run depended on: the profile's change number and settings. Equal means that nothing counted changed.
alter table data_export_destinations add column written_state text;
