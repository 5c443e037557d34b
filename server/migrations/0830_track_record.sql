-- Whether advice that was not applied turned out right in the two weeks after it was given; null while that is unknown.
alter table recommendations add column turned_out_right boolean;
