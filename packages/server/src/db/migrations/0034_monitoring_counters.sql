CREATE TABLE "metric_counters" (
	"node_id" text PRIMARY KEY NOT NULL,
	"host" json,
	"containers" json
);
--> statement-breakpoint
CREATE TABLE "metric_half_hours" (
	"node_id" text NOT NULL,
	"cpu_percent" double precision,
	"ram_used" bigint,
	"ram_total" bigint,
	"disk_used" bigint,
	"disk_total" bigint,
	"network_received" bigint,
	"network_sent" bigint,
	"recorded_at" timestamp (3) with time zone NOT NULL,
	"last_id" bigint NOT NULL,
	CONSTRAINT "metric_half_hours_node_id_recorded_at_pk" PRIMARY KEY("node_id","recorded_at")
);
--> statement-breakpoint
ALTER TABLE "metric_snapshots" ADD COLUMN "load_average" real[];--> statement-breakpoint
ALTER TABLE "metric_snapshots" ADD COLUMN "uptime_seconds" double precision;--> statement-breakpoint
insert into metric_half_hours (node_id, recorded_at, last_id, cpu_percent, ram_used, ram_total, disk_used, disk_total, network_received, network_sent)
select node_id, date_bin('30 minutes', recorded_at, 'epoch'), max(id), avg(cpu_percent), round(avg(ram_used::double precision))::bigint,
  round(avg(ram_total::double precision))::bigint, round(avg(disk_used::double precision))::bigint, round(avg(disk_total::double precision))::bigint,
  round(avg(network_received::double precision))::bigint, round(avg(network_sent::double precision))::bigint
from metric_snapshots group by 1, 2;
