CREATE TABLE "disk_usage_history" (
	"user_id" text NOT NULL,
	"kind" "disk_usage_kind" NOT NULL,
	"day" date NOT NULL,
	"bytes" bigint NOT NULL,
	CONSTRAINT "disk_usage_history_user_id_day_kind_pk" PRIMARY KEY("user_id","day","kind")
);
--> statement-breakpoint
CREATE TABLE "metric_snapshots" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "metric_snapshots_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"node_id" text NOT NULL,
	"cpu_percent" double precision,
	"ram_used" bigint,
	"ram_total" bigint,
	"disk_used" bigint,
	"disk_total" bigint,
	"recorded_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "project_metrics" (
	"project_id" text NOT NULL,
	"node_id" text NOT NULL,
	"minutes" integer NOT NULL,
	"recorded_at" timestamp (3) with time zone NOT NULL,
	"cpu_percent" real,
	"ram_used" bigint,
	"network_received" bigint,
	"network_sent" bigint,
	"disk_used" bigint,
	CONSTRAINT "project_metrics_project_id_minutes_recorded_at_pk" PRIMARY KEY("project_id","minutes","recorded_at")
);
--> statement-breakpoint
ALTER TABLE "disk_usage_history" ADD CONSTRAINT "disk_usage_history_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "metric_snapshots_recorded" ON "metric_snapshots" USING btree ("recorded_at","node_id");--> statement-breakpoint
CREATE INDEX "project_metrics_recorded" ON "project_metrics" USING btree ("minutes","recorded_at");