-- Views over the files that the manifest lists, and over no others. Set the folder first:
--   SET VARIABLE folder = '/exports/0190…/warehouse';   or   's3://bucket/prefix'
CREATE OR REPLACE TEMP TABLE manifest AS
SELECT t.name AS table_name, getvariable('folder') || '/' || f.path AS path
FROM (SELECT unnest(tables) AS t FROM read_json(getvariable('folder') || '/manifest.json')), unnest(t.files) AS x (f);

SET VARIABLE credits = (SELECT list(path) FROM manifest WHERE table_name = 'credits');
SET VARIABLE paths = (SELECT list(path) FROM manifest WHERE table_name = 'paths');
SET VARIABLE campaigns = (SELECT list(path) FROM manifest WHERE table_name = 'campaigns');
SET VARIABLE ad_sets = (SELECT list(path) FROM manifest WHERE table_name = 'ad_sets');
SET VARIABLE ads = (SELECT list(path) FROM manifest WHERE table_name = 'ads');
SET VARIABLE delivery = (SELECT list(path) FROM manifest WHERE table_name = 'delivery');
SET VARIABLE conversions = (SELECT list(path) FROM manifest WHERE table_name = 'conversions');
SET VARIABLE payments = (SELECT list(path) FROM manifest WHERE table_name = 'payments');
SET VARIABLE refunds = (SELECT list(path) FROM manifest WHERE table_name = 'refunds');
SET VARIABLE identities = (SELECT list(path) FROM manifest WHERE table_name = 'identities');

CREATE OR REPLACE TEMP VIEW credits AS SELECT * FROM read_parquet(getvariable('credits'), hive_partitioning = false);
CREATE OR REPLACE TEMP VIEW paths AS SELECT * FROM read_parquet(getvariable('paths'));
CREATE OR REPLACE TEMP VIEW campaigns AS SELECT * FROM read_parquet(getvariable('campaigns'));
CREATE OR REPLACE TEMP VIEW ad_sets AS SELECT * FROM read_parquet(getvariable('ad_sets'));
CREATE OR REPLACE TEMP VIEW ads AS SELECT * FROM read_parquet(getvariable('ads'));
CREATE OR REPLACE TEMP VIEW delivery AS SELECT * FROM read_parquet(getvariable('delivery'), hive_partitioning = false);
CREATE OR REPLACE TEMP VIEW conversions AS SELECT * FROM read_parquet(getvariable('conversions'), hive_partitioning = false);
CREATE OR REPLACE TEMP VIEW payments AS SELECT * FROM read_parquet(getvariable('payments'), hive_partitioning = false);
CREATE OR REPLACE TEMP VIEW refunds AS SELECT * FROM read_parquet(getvariable('refunds'), hive_partitioning = false);
CREATE OR REPLACE TEMP VIEW identities AS SELECT * FROM read_parquet(getvariable('identities'));
