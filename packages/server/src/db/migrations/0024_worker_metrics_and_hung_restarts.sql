CREATE TABLE "process_metrics" (
	"project_id" text NOT NULL,
	"node_id" text NOT NULL,
	"minutes" integer NOT NULL,
	"recorded_at" timestamp (3) with time zone NOT NULL,
	"cpu_percent" real,
	"ram_used" bigint,
	"network_received" bigint,
	"network_sent" bigint,
	"process" text NOT NULL,
	CONSTRAINT "process_metrics_project_id_process_minutes_recorded_at_pk" PRIMARY KEY("project_id","process","minutes","recorded_at")
);
--> statement-breakpoint
ALTER TABLE "metric_counters" ADD COLUMN "workers" json;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "restart_when_hung" boolean DEFAULT true NOT NULL;--> statement-breakpoint
CREATE INDEX "process_metrics_recorded" ON "process_metrics" USING btree ("minutes","recorded_at");