-- As for single days: a sum is no reach.
update delivery_spans set reach = null where reach is not null;
